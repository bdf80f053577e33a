import { CatalogError } from "../model/catalog-error.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Connection } from "./connection.ts";
import type { Endpoint } from "./endpoint.ts";
import { httpError, notDatahub } from "./http/failure.ts";
import { request } from "./http/request.ts";

/** What a server says of itself. */
export interface ServerInfo {
  readonly address: string;
  /** Whether a write can be made conditional on the version that was read: from DataHub 0.14 on (pull request #10868). */
  readonly conditionalWrites: boolean;
  /** Whether a token may propose an aspect with the privilege to edit only what that keeps, such as tags: from DataHub 1.6.0.10 on. */
  readonly aspectPrivileges: boolean;
}

/**
 * Asks whether a DataHub answers at the endpoint, by the field that its own clients look for
 * (metadata-ingestion rest_emitter.py, `noCode`). Throws `CatalogError` when none does, and the reason of `interrupted`.
 */
export async function checkServer(connection: Connection, interrupted?: AbortSignal): Promise<ServerInfo> {
  return (await askServer(connection, interrupted)).info;
}

/** What a server answers when it is asked for itself. */
export interface ServerAnswer {
  readonly info: ServerInfo;
  /** Its release, such as `1.7.0`, where it names one. */
  readonly version: string | undefined;
  /** Its time, as HTTP has it. */
  readonly date: string | undefined;
}

/** The same, with what only a person wants to know. */
export async function askServer(connection: Connection, interrupted?: AbortSignal): Promise<ServerAnswer> {
  const { address } = connection.endpoint;
  const { config, date } = await fetchConfig(connection, interrupted);
  if (isJsonObject(config) && config["noCode"] === "true") {
    const version = versionIn(config);
    // An unknown version, or 0.0 as of a development build, is taken for a new one: the server refuses what it cannot do.
    const conditionalWrites = version === undefined || isFrom(version, [0, 14]) || !isFrom(version, [0, 1]);
    const aspectPrivileges = version !== undefined && isFrom(version, [1, 6, 0, 10]);
    return { info: { address, conditionalWrites, aspectPrivileges }, version: version?.join("."), date };
  }
  const advice = `${address} is not a DataHub metadata service; through the frontend the address ends in /api/gms`;
  throw new CatalogError("not-datahub", advice);
}

/** The numbers of the server's version, such as `v1.7.0`. */
function versionIn({ versions }: JsonObject): readonly number[] | undefined {
  const core = isJsonObject(versions) ? versions["acryldata/datahub"] : undefined;
  const version = isJsonObject(core) ? core["version"] : undefined;
  const numbers = typeof version === "string" ? /^v?(\d+(?:\.\d+)+)/.exec(version)?.[1] : undefined;
  return numbers?.split(".").map(Number);
}

function isFrom(version: readonly number[], least: readonly number[]): boolean {
  const place = least.findIndex((number, index) => (version[index] ?? 0) !== number);
  return place < 0 || (version[place] ?? 0) > (least[place] ?? 0);
}

interface Config extends Pick<ServerAnswer, "date"> {
  readonly config: unknown;
}

function fetchConfig(connection: Connection, interrupted?: AbortSignal): Promise<Config> {
  const { endpoint, send } = connection;
  const ask = async (signal: AbortSignal): Promise<Config> => {
    const response = await send(endpoint.config, { signal });
    if (!response.ok) throw httpError(response, endpoint);
    const date = response.headers.get("date") ?? undefined;
    return { config: parsed(await response.text(), endpoint), date };
  };
  return request(connection, ask, { interrupted });
}

// Anything but JSON is the page of another server, so it is not worth another try.
function parsed(text: string, endpoint: Endpoint): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notDatahub(endpoint);
  }
}
