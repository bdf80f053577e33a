/** Reads display names. */

import { displayNameIn, displayNames } from "../../facets/display-names.ts";
import { asCatalogError } from "../../model/catalog-error.ts";
import { chunks } from "../../model/group-by.ts";
import { isJsonList, isJsonObject, type JsonObject } from "../../model/json.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { requestInBatches } from "../../datahub/http/batch-size.ts";
import { rawAspects, rawAspectsIn } from "./entities-document.ts";
import type { ReadOptions } from "./read-batches.ts";
import { mapConcurrently } from "./map-concurrently.ts";

/** Number of URNs in a request. Each URN is cheap to read, because only one of its aspects is needed. */
const namesBatch = 250;

/** The query for display names. */
export const namesDocument = `query ReadNames($urns: [String!]!) { entities(urns: $urns) { urn ${displayNames
  .map(
    ({ typename, aspect, selection }) =>
      `... on ${typename} { ${aspect === undefined ? selection : rawAspects([aspect])} }`,
  )
  .join(" ")} } }`;

/**
 * Reads display names, with 250 URNs in each request. Leaves out unreadable entities, because a plan is correct without their
 * names. Throws only if the signal is aborted.
 */
export async function readNames(
  reader: Reader,
  urns: readonly Urn[],
  { batch = namesBatch, signal }: ReadOptions = {},
): Promise<ReadonlyMap<Urn, string>> {
  const names = await mapConcurrently(reader, chunks(urns, batch), (some) => namesOf(reader, some, signal));
  return new Map(names.flat());
}

async function namesOf(
  reader: Reader,
  urns: readonly Urn[],
  signal: AbortSignal | undefined,
): Promise<readonly (readonly [Urn, string])[]> {
  try {
    const parts = await requestInBatches(reader, urns, async (some, isWorthRepeating) => {
      const answer = await reader.query(namesDocument, { urns: some }, signal, { isWorthRepeating });
      const entities = answer.data?.["entities"];
      return isJsonList(entities) ? entities.filter(isJsonObject).flatMap(nameIn) : [];
    });
    return parts.flat();
  } catch (error) {
    asCatalogError(error);
    return [];
  }
}

function nameIn(entity: JsonObject): readonly (readonly [Urn, string])[] {
  const { urn } = entity;
  if (!isUrn(urn)) return [];
  const name = displayNameIn(urn, { ...entity, aspects: rawAspectsIn(entity) });
  return name === undefined ? [] : [[urn, name]];
}
