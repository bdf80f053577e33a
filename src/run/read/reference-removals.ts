import { kindOfType } from "../../kinds/index.ts";
import type { Change, FacetChange } from "../../model/change.ts";
import { type Entity, scalarOf } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import {
  referencedDeletions,
  referenceRemovals,
  referringFacets,
} from "../../plan/diff/reference-removals.ts";
import type { Reader } from "../../datahub/client.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";

/**
 * Reads what the plan saw refer to what it deletes, and returns the removals of these references. What cannot be read has
 * none. Throws `CatalogError` when the server cannot be asked; after an interruption there are none.
 */
export async function readReferenceRemovals(
  reader: Reader,
  changes: readonly Change[],
  options: ReadOptions,
): Promise<readonly FacetChange[]> {
  const deletions = referencedDeletions(changes);
  const holders = new Map<Urn, Entity>();
  for (const urn of new Set(deletions.flatMap(({ assignedTo }) => assignedTo))) {
    const kind = kindOfType(entityTypeOf(urn))?.name;
    const facets = kind === undefined ? [] : referringFacets(kind, deletions);
    if (kind === undefined || facets.length === 0) continue;
    holders.set(urn, { urn, kind, facets: new Map(facets.map(({ name }) => [name, scalarOf(null)])) });
  }
  try {
    const nothing = { state: new Map<Urn, Entity>() };
    const live = holders.size > 0 ? await readLive(reader, holders, options) : nothing;
    return referenceRemovals(changes, live);
  } catch (error) {
    if (options.signal?.aborted && error === options.signal.reason) return [];
    throw error;
  }
}
