/** Reads the stored aspects of one entity by URN. */

import { CatalogError } from "../model/catalog-error.ts";
import { notViewable } from "../model/restricted.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { restClient, envelopesIn, messageIn, valueIn } from "./aspect-client.ts";
import { httpError } from "./http/failure.ts";
import type { Connection } from "./http/connection.ts";

/** The values of an entity's aspects, keyed by aspect name. */
type Aspects = Readonly<Record<string, JsonObject>>;

/**
 * Returns the aspects in `names` (or all aspects if `names` is absent), keyed by name. Returns `undefined` if the entity does not
 * exist. Throws `CatalogError` if the server does not respond or rejects the request, or the abort reason of `interrupted`.
 */
export async function readStoredAspects(
  connection: Connection,
  urn: string,
  names?: readonly string[],
  interrupted?: AbortSignal,
): Promise<Aspects | undefined> {
  if (!names) {
    const all = await aspectsOf(connection, urn, "", interrupted);
    return isStored(all) ? all : undefined;
  }
  const query = `?aspects=List(${names.map(encodeURIComponent).join(",")})`;
  const some = await aspectsOf(connection, urn, query, interrupted);
  // Reading all aspects reveals whether the entity is missing or only lacks the requested aspects.
  if (!isStored(some) && !isStored(await aspectsOf(connection, urn, "", interrupted))) return undefined;
  return Object.fromEntries(Object.entries(some).filter(([name]) => names.includes(name)));
}

async function aspectsOf(
  connection: Connection,
  urn: string,
  query: string,
  interrupted: AbortSignal | undefined,
): Promise<Aspects> {
  const path = `/entitiesV2/${encodeURIComponent(urn)}${query}`;
  const { response, body } = await restClient(connection)(path, undefined, { interrupted });
  const { status } = response;
  if (status === 404 && isJsonObject(body)) return {};
  if (status === 400) {
    const reason = messageIn(body, connection.token) ?? "HTTP 400";
    throw new CatalogError("answer", `the server rejected the request for ${urn}: ${reason}`, { status });
  }
  if (status === 403) throw new CatalogError("http", `could not read ${urn}: ${notViewable}`, { status });
  if (!response.ok) throw httpError(response, connection.endpoint);
  const envelopes = Object.entries(envelopesIn(body, urn, connection.endpoint));
  return Object.fromEntries(envelopes.map(([name, envelope]) => [name, valueIn(envelope, name)]));
}

// The server invents the key aspect for any URN (EntityServiceImpl, alwaysIncludeKeyAspect). In DataHub's registry, only key
// aspects have names that end in `Key`.
function isStored(aspects: Aspects): boolean {
  return Object.keys(aspects).some((name) => !name.endsWith("Key"));
}
