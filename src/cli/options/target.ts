import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import type { ClientOptions } from "../../datahub/client/client-options.ts";
import { type Endpoint, endpointOf, isSameAddress } from "../../datahub/client/endpoint.ts";
import { isJsonObject } from "../../model/json.ts";
import { RunError, UsageError } from "../errors.ts";
import type { Io } from "../io.ts";

/** The options that name a target. */
export interface TargetOptions {
  readonly server?: string;
  readonly local?: boolean;
  readonly data?: string;
}

/** The catalog that a command talks to. `name` is what plans call it. */
export interface Target {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly client: ClientOptions;
  close(): Promise<void>;
}

/** Where the local catalog keeps its data when nothing else is said. */
export const defaultDataDirectory = ".datahub-gitops/catalog";

/** What decides about a target beside the options. */
export interface TargetRules {
  /** The only server that the settings allow. */
  readonly pinned: string | undefined;
  /** Whether the command writes: then `~/.datahubenv` does not count, the target must be explicit. */
  readonly writes: boolean;
}

/** Finds the target by DataHub's own conventions. Throws `UsageError` before any request when there is none, or another than the pinned one. */
export async function openTarget(options: TargetOptions, rules: TargetRules, io: Io): Promise<Target> {
  if (options.local === true && options.server !== undefined) {
    throw new UsageError("--local and --server exclude each other: say which catalog is meant");
  }
  if (options.data !== undefined && options.local !== true) {
    throw new UsageError("--data belongs to --local: it names where the local catalog keeps its data");
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
    // The file's token is for the file's server and goes to no other.
    return { address, token: file && isSameAddress(file.address, address) ? file.token : undefined };
  }
  if (file && !writes) return { address: file.address, token: token ?? file.token };
  const ways = "give --server URL, set DATAHUB_GMS_URL, or use --local for the local catalog";
  if (file)
    throw new UsageError(
      `no server is named: a command that writes does not take it from ${file.path}; ${ways}`,
    );
  throw new UsageError(`no server is named: ${ways}`);
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
      `${path} cannot be read: ${(error as Error).message}; set DATAHUB_SKIP_CONFIG=true to go without it`,
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

// The error that an HTTP client makes of such a token would repeat it.
function checkToken(token: string | undefined): void {
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return;
  throw new UsageError(
    "the token holds white space or characters that no token has: check DATAHUB_GMS_TOKEN",
  );
}

function checkPin(target: string, pinned: string | undefined): void {
  if (pinned === undefined || isSameAddress(target, pinned)) return;
  throw new UsageError(
    `the settings pin the server ${pinned}, and this is ${target}: nothing was sent; name that server, correct \`server\` in the settings, or give other settings with --settings`,
  );
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
