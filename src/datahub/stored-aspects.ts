/** Reads the stored aspects of one entity by URN. */

import { CatalogError } from "../model/catalog-error.ts";
import { notViewable } from "../model/restricted.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { restClient, envelopesIn, messageIn, valueIn } from "./aspect-client.ts";
import { httpError } from "./http/failure.ts";
import type { Connection } from "./http/connection.ts";

/** A read-only client for stored aspects. */
export interface StoredAspectsReader {
  /**
   * Returns the aspects in `names` (or all aspects if `names` is absent), keyed by name. Returns `undefined` if the entity does
   * not exist. Throws the abort reason of `interrupted`.
   */
  read(
    urn: string,
    names?: readonly string[],
    interrupted?: AbortSignal,
  ): Promise<Readonly<Record<string, JsonObject>> | undefined>;
}

/** Creates a reader that throws `CatalogError` if the server does not respond or rejects the request. */
export function createStoredAspectsReader(connection: Connection): StoredAspectsReader {
  const { endpoint } = connection;
  const ask = restClient(connection);
  const readAll = async (
    urn: string,
    query: string,
    interrupted: AbortSignal | undefined,
  ): Promise<Readonly<Record<string, JsonObject>>> => {
    const path = `/entitiesV2/${encodeURIComponent(urn)}${query}`;
    const { response, body } = await ask(path, undefined, { interrupted });
    if (response.status === 404 && isJsonObject(body)) return {};
    if (response.status === 400)
      throw new CatalogError("answer", refusalIn(urn, messageIn(body, connection.token)), {
        status: response.status,
      });
    if (response.status === 403)
      throw new CatalogError("http", `could not read ${urn}: ${notViewable}`, { status: 403 });
    if (!response.ok) throw httpError(response, endpoint);
    return valuesIn(envelopesIn(body, urn, endpoint));
  };
  return {
    read: async (urn, names, interrupted) => {
      if (!names) {
        const all = await readAll(urn, "", interrupted);
        return isStored(all) ? all : undefined;
      }
      const query = `?aspects=List(${names.map(encodeURIComponent).join(",")})`;
      const some = await readAll(urn, query, interrupted);
      // Reading all aspects reveals whether the entity is missing or only lacks the requested aspects.
      if (!isStored(some) && !isStored(await readAll(urn, "", interrupted))) return undefined;
      return Object.fromEntries(Object.entries(some).filter(([name]) => names.includes(name)));
    },
  };
}

// The server invents the key aspect for any URN (EntityServiceImpl, alwaysIncludeKeyAspect). In DataHub's registry, only key
// aspects have names that end in `Key`.
function isStored(aspects: Readonly<Record<string, JsonObject>>): boolean {
  return Object.keys(aspects).some((name) => !name.endsWith("Key"));
}

function valuesIn(envelopes: JsonObject): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.entries(envelopes).map(([name, envelope]) => [name, valueIn(envelope, name)]),
  );
}

function refusalIn(urn: string, message = "HTTP 400"): string {
  return `the server rejected the request for ${urn}: ${message}`;
}
