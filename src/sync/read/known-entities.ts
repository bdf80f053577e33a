/** Lists existing definitions with their display names. */

import type { Reader } from "../../datahub/client.ts";
import { canHaveDisplayName } from "../../facets/display-names.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { listDefinitions } from "./list-definitions.ts";
import { readNames } from "./names.ts";
import type { ReadOptions } from "./read-batches.ts";

/**
 * Lists the definitions in a catalog's index, with their display names. Includes custom ownership types, but not those built into
 * DataHub. Throws `CatalogError` if the definitions cannot be listed, or the signal's reason if it is aborted.
 */
export async function readKnownEntities(
  reader: Reader,
  options: ReadOptions,
): Promise<ReadonlyMap<Urn, string | undefined>> {
  const { definitions } = await listDefinitions(reader, options);
  const urns = definitions.flatMap(({ urns: all, softDeleted }) => {
    const removed = new Set(softDeleted);
    return all.filter((urn) => !removed.has(urn));
  });
  const known = urns.filter(isUrn).filter(canHaveDisplayName);
  const names = await readNames(reader, known, options);
  return new Map(known.map((urn) => [urn, names.get(urn)]));
}
