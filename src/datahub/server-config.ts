/** Checks whether a server is a DataHub server, and reads its release and its clock. */

import { CatalogError } from "../model/catalog-error.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Endpoint } from "./endpoint.ts";
import { httpError, notDatahub } from "./http/failure.ts";
import { request } from "./http/request.ts";
import type { Connection } from "./http/connection.ts";

/**
 * Checks whether a server is a DataHub server, using the same field as DataHub's own clients (metadata-ingestion rest_emitter.py,
 * `noCode`). Throws `CatalogError` if it is not, or the abort reason of `interrupted`.
 */
export async function checkServer(connection: Connection, interrupted?: AbortSignal): Promise<void> {
  await askServer(connection, interrupted);
}

/** Information that a server provides about itself. */
export interface ServerAnswer {
  /**
   * The release, such as `1.7.0`, if known. Use it only in messages, because Core, Cloud and forks number their releases
   * differently.
   */
  readonly version: string | undefined;
  /** The `Date` header of the response. */
  readonly date: string | undefined;
}

/** Checks the server as `checkServer` does, and returns its release and the time on its clock. */
export async function askServer(connection: Connection, interrupted?: AbortSignal): Promise<ServerAnswer> {
  const { endpoint, send } = connection;
  const { config, date } = await request(
    connection,
    async (signal) => {
      const response = await send(endpoint.config, { signal });
      if (!response.ok) throw httpError(response, endpoint);
      const text = await response.text();
      return { config: parsed(text, endpoint), date: response.headers.get("date") ?? undefined };
    },
    { interrupted },
  );
  if (isJsonObject(config) && config["noCode"] === "true") return { version: versionIn(config), date };
  const advice = `${endpoint.address} is not a DataHub metadata service; through the frontend, the URL must end in /api/gms`;
  throw new CatalogError("not-datahub", advice);
}

function versionIn({ versions }: JsonObject): string | undefined {
  const core = isJsonObject(versions) ? versions["acryldata/datahub"] : undefined;
  const version = isJsonObject(core) ? core["version"] : undefined;
  return typeof version === "string" ? /^v?(\d+(?:\.\d+)+)/.exec(version)?.[1] : undefined;
}

// A response that is not JSON does not come from DataHub, so a retry would not help.
function parsed(text: string, endpoint: Endpoint): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notDatahub(endpoint);
  }
}
