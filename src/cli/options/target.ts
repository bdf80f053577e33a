import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import type { ClientOptions } from "../../datahub/client/client-options.ts";
import { type Endpoint, endpointOf, isSameAddress } from "../../datahub/client/endpoint.ts";
import { isJsonObject } from "../../model/json.ts";
import { RunError, UsageError } from "../errors.ts";
import type { Io } from "../io.ts";

/** The options that select a target. */
export interface TargetOptions {
  readonly server?: string;
  readonly local?: boolean;
  readonly data?: string;
}

/** The catalog that a command uses. `name` is its name in plans. */
export interface Target {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly client: ClientOptions;
  close(): Promise<void>;
}

/** The default data directory of the local catalog. */
export const defaultDataDirectory = ".datahub-gitops/catalog";

/** What restricts the target, in addition to the options. */
export interface TargetRules {
  /** The only server that the settings allow, if they name one. */
  readonly pinned: string | undefined;
  /** Whether the command writes. Then the target must be explicit and `~/.datahubenv` is not used. */
  readonly writes: boolean;
}

/**
 * Finds the target by DataHub's own conventions. Throws `UsageError`, before any request, if there is no target or the
 * settings pin another one.
 */
export async function openTarget(options: TargetOptions, rules: TargetRules, io: Io): Promise<Target> {
  if (options.local === true && options.server !== undefined) {
    throw new UsageError("--local and --server cannot be used together");
  }
  if (options.data !== undefined && options.local !== true) {
    throw new UsageError("--data needs --local: it is the data directory of the local catalog");
  }
  if (options.local === true) return openLocal(options, rules, io);
  const { address, token } = await findServer(options, rules, io);
  const endpoint = endpointOf(address);
  if ("fault" in endpoint) throw new UsageError(endpoint.fault);
  checkPin(endpoint.address, rules.pinned);
  checkToken(token);
  return {
    name: endpoint.address,
    endpoint,
    client: { ...(token !== undefined && { token }) },
    close: async () => {},
  };
}

async function openLocal(options: TargetOptions, { pinned }: TargetRules, io: Io): Promise<Target> {
  if (pinned !== undefined) checkPin("the local catalog", pinned);
  const { startCatalog } = await import("../../local-catalog/server.ts");
  const dataDir = resolve(io.cwd, options.data ?? defaultDataDirectory);
  const catalog = await startCatalog({ dataDir, port: 0, auth: true });
  const endpoint = endpointOf(catalog.url);
  if ("fault" in endpoint) throw new Error(endpoint.fault);
  return {
    name: `local:${catalog.id}`,
    endpoint,
    client: { ...(catalog.token !== undefined && { token: catalog.token }) },
    close: () => catalog.close(),
  };
}

interface Server {
  readonly address: string;
  readonly token: string | undefined;
}

async function findServer({ server }: TargetOptions, { writes }: TargetRules, io: Io): Promise<Server> {
  const token = nonEmpty(io.env["DATAHUB_GMS_TOKEN"]);
  const address = server ?? addressFromEnvironment(io.env);
  if (address !== undefined && token !== undefined) return { address, token };
  const file = await readDatahubEnv(io);
  if (address !== undefined) {
    // The token in the file is sent only to the server in the file.
    return { address, token: file && isSameAddress(file.address, address) ? file.token : undefined };
  }
  if (file && !writes) return { address: file.address, token: token ?? file.token };
  const ways = "use --server <url>, set DATAHUB_GMS_URL, or use --local for a local catalog";
  if (file)
    throw new UsageError(
      `no server given: a command that writes does not read it from ${file.path}; ${ways}`,
    );
  throw new UsageError(`no server given: ${ways}`);
}

/** The address in DataHub's own variables: `DATAHUB_GMS_URL`, else host, port and protocol (metadata-ingestion config_utils.py). */
function addressFromEnvironment(env: Io["env"]): string | undefined {
  const url = nonEmpty(env["DATAHUB_GMS_URL"]);
  const host = nonEmpty(env["DATAHUB_GMS_HOST"]);
  const port = nonEmpty(env["DATAHUB_GMS_PORT"]);
  const protocol = nonEmpty(env["DATAHUB_GMS_PROTOCOL"]) ?? "http";
  if (url !== undefined) return url;
  if (host === undefined) return port === undefined ? undefined : `${protocol}://localhost:${port}`;
  if (port !== undefined) return `${protocol}://${host}:${port}`;
  return host.includes("://") ? host : `${protocol}://${host}`;
}

async function readDatahubEnv(io: Io): Promise<(Server & { readonly path: string }) | undefined> {
  if (/^(true|1|yes)$/i.test(io.env["DATAHUB_SKIP_CONFIG"] ?? "")) return undefined;
  const path = join(io.home, ".datahubenv");
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new RunError(
      `cannot read ${path}: ${(error as Error).message}; set DATAHUB_SKIP_CONFIG=true to ignore it`,
    );
  }
  const gms = gmsOf(text);
  const address = gms?.["server"];
  if (typeof address !== "string") return undefined;
  const token = gms?.["token"];
  return { path, address, token: typeof token === "string" ? nonEmpty(token) : undefined };
}

function gmsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const file: unknown = parse(text, { logLevel: "silent" });
    return isJsonObject(file) && isJsonObject(file["gms"]) ? file["gms"] : undefined;
  } catch {
    return undefined;
  }
}

// The error message of an HTTP client would contain the token.
function checkToken(token: string | undefined): void {
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return;
  throw new UsageError("the token contains white space or invalid characters; check DATAHUB_GMS_TOKEN");
}

function checkPin(target: string, pinned: string | undefined): void {
  if (pinned === undefined || isSameAddress(target, pinned)) return;
  throw new UsageError(
    `the settings allow only the server ${pinned}, but the target is ${target}; nothing was sent. Use that server, change \`server\` in the settings, or use other settings with --settings`,
  );
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
