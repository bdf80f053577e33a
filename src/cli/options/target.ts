/** Opens the DataHub server or local catalog that a command's options select, unless the settings pin a different server. */

import { resolve } from "node:path";
import { type ConnectionOptions, connectionTo } from "../../datahub/connection.ts";
import { findConnection } from "../../datahub/find-connection.ts";
import type { Settings } from "../../manifests/settings/settings-content.ts";
import { refuseOtherServer } from "../../workflow/scope/pinned-server.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { loadStartCatalog } from "../local-catalog.ts";
import { defaultDataDirectory } from "./options.ts";
import type { Connection } from "../../datahub/http/connection.ts";

/** The options that select a target. */
export interface TargetOptions {
  readonly server?: string;
  readonly local?: boolean;
  readonly data?: string;
  readonly concurrency?: number;
  /** The timeout for each request, in seconds. */
  readonly timeout?: number;
  readonly verbose?: boolean;
}

/** An open catalog. `name` identifies the catalog in plans. */
export interface Target {
  readonly name: string;
  readonly connection: Connection;
  close(): Promise<void>;
}

/** Restrictions on the target that apply in addition to the options. */
export interface TargetRules {
  /** The settings that restrict the choice of the server and control how data is read from it. */
  readonly settings?: Pick<Settings, "server" | "reads"> | undefined;
  /** Whether the command writes to the catalog. If so, the target must be explicit: `~/.datahubenv` is not used. */
  readonly writes: boolean;
}

/**
 * Opens the target, using the same environment variables and `~/.datahubenv` file as DataHub's CLI. Throws before any request is
 * sent: `UsageError` for contradictory options, `ConnectionError` if no server is given, and `ScopeError` if the settings pin a
 * different server.
 */
export async function openTarget(options: TargetOptions, rules: TargetRules, io: Io): Promise<Target> {
  if (options.local === true && options.server !== undefined) {
    throw new UsageError("--local and --server cannot be used together");
  }
  if (options.data !== undefined && options.local !== true) {
    throw new UsageError("--data needs --local, because it sets the data directory of the local catalog");
  }
  if (options.local === true) return openLocal(options, rules, io);
  const { server, writes } = { ...options, ...rules };
  const connection = await findConnection({ server, writes }, io, connectionOptions(options, rules, io));
  const { address } = connection.endpoint;
  refuseOtherServer(address, rules.settings?.server);
  if (isUnprotected(address)) note(`warning: the connection to ${address} is not encrypted; use https`, io);
  return { name: address, connection, close: async () => connection.close() };
}

/** Passes an open target to `use`, and closes it afterwards. */
export async function withTarget<T>(
  options: TargetOptions,
  rules: TargetRules,
  io: Io,
  use: (target: Target) => Promise<T>,
): Promise<T> {
  const target = await openTarget(options, rules, io);
  return await use(target).finally(() => target.close());
}

async function openLocal(options: TargetOptions, rules: TargetRules, io: Io): Promise<Target> {
  if (rules.settings?.server !== undefined) refuseOtherServer("the local catalog", rules.settings.server);
  const startCatalog = await loadStartCatalog();
  const dataDir = resolve(io.cwd, options.data ?? defaultDataDirectory);
  const catalog = await startCatalog({ dataDir, root: io.cwd, port: 0, auth: true });
  const connection = connectionTo(catalog.url, {
    ...connectionOptions(options, rules, io),
    token: catalog.token,
  });
  return { name: `local:${catalog.id}`, connection, close: () => catalog.close() };
}

function connectionOptions(
  { concurrency, timeout, verbose }: TargetOptions,
  { settings }: TargetRules,
  io: Io,
): ConnectionOptions {
  return {
    concurrency,
    reads: settings?.reads,
    timeout: timeout && timeout * 1000,
    retryDelay: io.retryDelay,
    onNote: (text) => note(text, io),
    onRetry: verbose === true ? (text) => note(text, io) : undefined,
  };
}

/** Whether the connection is unencrypted and not local. */
export function isUnprotected(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
