import { CatalogError } from "../model/catalog-error.ts";
import { notViewable } from "../model/restricted.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { asker, envelopesIn, messageIn, valueIn } from "./aspect-client.ts";
import type { Connection } from "./connection.ts";
import { httpError } from "./http/failure.ts";

/** Reads what is stored under a URN, aspect by aspect. It has no way to write. */
export interface StoredAspectsReader {
  /** The aspects by name, all or the named ones; `undefined` where nothing is stored. Throws the reason of `interrupted`. */
  read(
    urn: string,
    names?: readonly string[],
    interrupted?: AbortSignal,
  ): Promise<Readonly<Record<string, JsonObject>> | undefined>;
}

/** A reader of stored aspects. It throws `CatalogError` when the server cannot be asked, or refuses. */
export function createStoredAspectsReader(connection: Connection): StoredAspectsReader {
  const { endpoint } = connection;
  const ask = asker(connection);
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
      // Whether the entity lacks only these aspects, or does not exist, all of its aspects say.
      if (!isStored(some) && !isStored(await readAll(urn, "", interrupted))) return undefined;
      return Object.fromEntries(Object.entries(some).filter(([name]) => names.includes(name)));
    },
  };
}

// The server makes up the key aspect for any URN (EntityServiceImpl, alwaysIncludeKeyAspect); the names of key
// aspects, and of no others, end so in DataHub's registry.
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
