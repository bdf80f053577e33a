import { resolve } from "node:path";
import { type Connection, ConnectionError, connectionTo } from "../../datahub/client/connection.ts";
import { isSameAddress } from "../../datahub/client/endpoint.ts";
import { findConnection } from "../../datahub/client/find-connection.ts";
import { ScopeError } from "../../scope/errors.ts";
import { RunError, UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { asCommandError } from "../output/scope-failure.ts";

/** The options that name a target. */
export interface TargetOptions {
  readonly server?: string;
  readonly local?: boolean;
  readonly data?: string;
}

/** The catalog that a command talks to. `name` is what plans call it. */
export interface Target {
  readonly name: string;
  readonly connection: Connection;
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
  const connection = await findServer(options, rules, io);
  const { address } = connection.endpoint;
  checkPin(address, rules.pinned);
  return { name: address, connection, close: async () => {} };
}

async function openLocal(options: TargetOptions, { pinned }: TargetRules, io: Io): Promise<Target> {
  if (pinned !== undefined) checkPin("the local catalog", pinned);
  const { startCatalog } = await import("../../local-catalog/server.ts");
  const dataDir = resolve(io.cwd, options.data ?? defaultDataDirectory);
  const catalog = await startCatalog({ dataDir, port: 0, auth: true });
  const connection = connectionTo(catalog.url, { token: catalog.token });
  return { name: `local:${catalog.id}`, connection, close: () => catalog.close() };
}

async function findServer({ server }: TargetOptions, { writes }: TargetRules, io: Io): Promise<Connection> {
  try {
    return await findConnection({ server, writes }, io);
  } catch (error) {
    throw error instanceof ConnectionError ? asConnectionFailure(error) : error;
  }
}

function asConnectionFailure({ failure, message, file }: ConnectionError): Error {
  if (failure === "unreadable-file") return new RunError(message);
  const ways = "give --server URL, set DATAHUB_GMS_URL, or use --local for the local catalog";
  if (failure === "no-server") return new UsageError(`no server is named: ${ways}`);
  if (failure !== "implicit-server") return new UsageError(message);
  return new UsageError(`no server is named: a command that writes does not take it from ${file}; ${ways}`);
}

function checkPin(target: string, pinned: string | undefined): void {
  if (pinned === undefined || isSameAddress(target, pinned)) return;
  throw asCommandError(new ScopeError({ code: "other-server", server: target, pinned }));
}
