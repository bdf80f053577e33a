import type { Change } from "../../model/change.ts";
import { scalarOf, type State } from "../../model/state.ts";
import { ownerFacets } from "../../plan/touched-owners.ts";
import type { Reader } from "../../datahub/client.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";

/**
 * Reads the owners of what changes, of those entities of which they were not read before. What cannot be read has none here.
 * Throws `CatalogError` when the server cannot be asked.
 */
export async function readOwners(
  reader: Reader,
  changes: readonly Change[],
  live: State,
  { onProgress: _, ...options }: ReadOptions,
): Promise<State> {
  const unread = changes.flatMap(({ action, urn, kind }) => {
    const own = ownerFacets
      .filter(({ kinds }) => kinds.some((each) => each === kind))
      .map(({ name }) => name);
    if (action === "create" || own.every((name) => live.get(urn)?.facets.has(name) === true)) return [];
    return [[urn, { urn, kind, facets: new Map(own.map((name) => [name, scalarOf(null)])) }] as const];
  });
  if (unread.length === 0) return new Map();
  return (await readLive(reader, new Map(unread), options)).state;
}
