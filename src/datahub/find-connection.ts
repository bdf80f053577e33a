/** Finds the server, token and proxy in the environment and in `.datahubenv`, as DataHub's own clients do. */

import { isAbsolute, join } from "node:path";
import { parse } from "yaml";
import { readRegularFile } from "../files/read-file.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { errorCode, errorMessage } from "../model/text/error-text.ts";
import { ConnectionError, type ConnectionOptions, connectionTo } from "./connection.ts";
import { isSameAddress } from "./endpoint.ts";
import { dispatcherFor } from "./http/dispatcher.ts";
import type { Connection } from "./http/connection.ts";

/** The sources of the server URL and the token. */
export interface ConnectionSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home directory, which may contain `.datahubenv`. A relative path is ignored. */
  readonly home: string;
}

/** The server that a command uses. */
export interface RequestedServer {
  /** The server URL. If absent, it is read from the environment or from `.datahubenv`. */
  readonly server?: string | undefined;
  /** Whether the command writes. If so, the server URL is not read from `.datahubenv`. */
  readonly writes: boolean;
}

/**
 * Creates a connection to the configured server, without sending a request. The server URL is read from `DATAHUB_GMS_URL` (or
 * `_HOST`, `_PORT` and `_PROTOCOL`). The token is read from `DATAHUB_GMS_TOKEN` or from the file in `DATAHUB_GMS_TOKEN_FILE`,
 * which is reread after HTTP 401. Missing values are read from `.datahubenv`, whose token is sent only to the server in that
 * file. `dispatcherFor` chooses the proxy. Throws `ConnectionError` if no server is configured, or if the URL, the token or the
 * proxy is invalid.
 */
export async function findConnection(
  wanted: RequestedServer,
  surroundings: ConnectionSources,
  options: Omit<ConnectionOptions, "token" | "renewToken" | "dispatcher"> = {},
): Promise<Connection> {
  const { address, token } = findServer(wanted, surroundings);
  const dispatcher = await dispatcherFor(surroundings.env);
  if (dispatcher && "fault" in dispatcher) {
    const failure = dispatcher.file === undefined ? "bad-address" : "unreadable-file";
    throw new ConnectionError(failure, dispatcher.fault, dispatcher.file);
  }
  const renewToken = (): string | undefined => renewedToken(surroundings.env);
  return connectionTo(address, { ...options, token, renewToken, dispatcher });
}

interface Server {
  readonly address: string;
  readonly token: string | undefined;
}

function findServer({ server, writes }: RequestedServer, surroundings: ConnectionSources): Server {
  const { env } = surroundings;
  const token = nonEmpty(env["DATAHUB_GMS_TOKEN"]) ?? tokenOfFile(env);
  const address = server ?? addressFromEnvironment(env);
  if (address !== undefined && token !== undefined) return { address, token };
  const file = readDatahubEnv(surroundings);
  if (address !== undefined) {
    // The token from the file is sent only to the server in that file.
    return { address, token: file && isSameAddress(file.address, address) ? file.token : undefined };
  }
  if (!file) throw new ConnectionError("no-server", "no server given; set DATAHUB_GMS_URL");
  if (!writes) return { address: file.address, token: token ?? file.token };
  throw new ConnectionError(
    "implicit-server",
    `no server given: commands that write do not read the server URL from ${file.path}; set DATAHUB_GMS_URL`,
    file.path,
  );
}

const tokenFile = "DATAHUB_GMS_TOKEN_FILE";

/**
 * Reads the token from the file in `DATAHUB_GMS_TOKEN_FILE`, unless `DATAHUB_GMS_TOKEN` is set. Throws `ConnectionError` if the
 * file cannot be read or is empty.
 */
function tokenOfFile(env: ConnectionSources["env"]): string | undefined {
  const path = nonEmpty(env[tokenFile]);
  if (path === undefined || nonEmpty(env["DATAHUB_GMS_TOKEN"]) !== undefined) return undefined;
  let text: string;
  try {
    text = readRegularFile(path).toString("utf8");
  } catch (error) {
    throw unreadableToken(path, errorMessage(error));
  }
  const token = nonEmpty(text);
  if (token === undefined) throw unreadableToken(path, "it is empty");
  return token;
}

function unreadableToken(path: string, reason: string): ConnectionError {
  const message = `cannot read the token file ${path} (set in ${tokenFile}): ${reason}`;
  return new ConnectionError("unreadable-file", message, path);
}

// Returns `undefined` if the file cannot be read, because the file may be missing temporarily while it is being replaced.
function renewedToken(env: ConnectionSources["env"]): string | undefined {
  try {
    return tokenOfFile(env);
  } catch {
    return undefined;
  }
}

/** Returns the server URL from the environment, using the same rules as config_utils.py in metadata-ingestion. */
function addressFromEnvironment(env: ConnectionSources["env"]): string | undefined {
  const url = nonEmpty(env["DATAHUB_GMS_URL"]);
  const host = nonEmpty(env["DATAHUB_GMS_HOST"]);
  const port = nonEmpty(env["DATAHUB_GMS_PORT"]);
  const protocol = nonEmpty(env["DATAHUB_GMS_PROTOCOL"]) ?? "http";
  if (url !== undefined) return url;
  if (host === undefined) return port === undefined ? undefined : `${protocol}://localhost:${port}`;
  if (port !== undefined) return `${protocol}://${host}:${port}`;
  return host.includes("://") ? host : `${protocol}://${host}`;
}

function readDatahubEnv({ env, home }: ConnectionSources): (Server & { readonly path: string }) | undefined {
  // A relative path would refer to the working directory. Anyone who can commit to the repository controls the files there.
  if (!isAbsolute(home)) return undefined;
  if (/^(true|1|yes)$/i.test(env["DATAHUB_SKIP_CONFIG"] ?? "")) return undefined;
  const path = join(home, ".datahubenv");
  const gms = gmsIn(textOf(path));
  const address = gms?.["server"];
  if (typeof address !== "string") return undefined;
  const token = gms?.["token"];
  return { path, address, token: typeof token === "string" ? nonEmpty(token) : undefined };
}

function textOf(path: string): string {
  try {
    return readRegularFile(path).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    const message = `cannot read ${path}: ${errorMessage(error)}; set DATAHUB_SKIP_CONFIG=true to ignore it`;
    throw new ConnectionError("unreadable-file", message, path);
  }
}

function gmsIn(text: string): JsonObject | undefined {
  try {
    const file: unknown = parse(text, { logLevel: "silent" });
    return isJsonObject(file) && isJsonObject(file["gms"]) ? file["gms"] : undefined;
  } catch {
    return undefined;
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
