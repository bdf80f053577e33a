import type { Reader } from "../../datahub/client.ts";
import { kindOf } from "../../kinds/index.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Live } from "../../model/live.ts";
import { isRestricted, notViewable } from "../../model/restricted.ts";
import type { Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { entityToRead, stateOf } from "./entities-to-read.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";
import { type Found, type Search, searchAll } from "./search.ts";

/** How many referrers of an entity are looked at: enough to find one among those that the token may view. */
const mostReferrers = 500;

/**
 * Live state in which what is to be deleted is unreadable where something refers to it that the token may not view. Relationships
 * leave such referrers out (EntityRelationshipsResultResolver.java), searches do not. The server would take the references away.
 */
export async function withoutHiddenReferrers(
  reader: Reader,
  gone: readonly Pick<Entity, "urn" | "kind">[],
  live: Live,
  { onProgress: _, ...options }: ReadOptions,
): Promise<Live> {
  const there = gone.filter(({ urn, kind }) => live.deletable?.has(urn) && searchesFor(kind, urn).length > 0);
  if (there.length === 0) return live;
  const searches = there.flatMap(({ urn, kind }) =>
    searchesFor(kind, urn).map((search) => ({ urn, search })),
  );
  const found = await foundBy(
    reader,
    searches.map(({ search }) => search),
    options,
  );
  const referrersOf = new Map<Urn, Urn[]>();
  for (const [index, { urn }] of searches.entries()) {
    const known = new Set(live.deletable?.get(urn)?.referring.map((each) => each.urn));
    const others = (found[index]?.urns ?? []).filter((each) => !known.has(each));
    referrersOf.set(urn, [...(referrersOf.get(urn) ?? []), ...others]);
  }
  const wanted = [...referrersOf.values()].flat().flatMap((urn) => entityToRead(urn, () => []));
  const referrers = await readLive(reader, stateOf(wanted), options);
  const state = new Map(live.state);
  const unreadable = new Map(live.unreadable);
  for (const [urn, others] of referrersOf) {
    const hidden = others.find((each) => isRestricted(referrers.unreadable.get(each) ?? ""));
    if (hidden === undefined) continue;
    state.delete(urn);
    unreadable.set(urn, `${hidden} refers to it, and ${notViewable}`);
  }
  return { ...live, state, unreadable };
}

/** What each search finds; nothing where it fails, as in a snapshot, which has no index. */
async function foundBy(
  reader: Reader,
  searches: readonly Search[],
  options: Pick<ReadOptions, "signal">,
): Promise<readonly Found[]> {
  try {
    return await searchAll(reader, searches, options);
  } catch (error) {
    if (error instanceof CatalogError) return [];
    throw error;
  }
}

function searchesFor(kind: string, urn: Urn): readonly Search[] {
  const anyOf = (kindOf(kind).deletion?.searchFields ?? []).map((field) => [{ field, values: [urn] }]);
  return anyOf.length > 0 ? [{ anyOf, most: mostReferrers }] : [];
}
