/**
 * Marks entities that will be deleted as unreadable if the token may not view one of their referrers, because the server would also
 * remove the reference.
 */

import type { Reader } from "../../datahub/client.ts";
import { appendTo } from "../../model/append.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Live } from "../../model/live.ts";
import { isRestricted, notViewable } from "../../model/restricted.ts";
import type { EntityKey } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { entityToRead, stateOf } from "./entities-to-read.ts";
import { readLive } from "./live-state.ts";
import type { Abortable, ReadOptions } from "./read-batches.ts";
import { conditionsOf } from "./incoming-references.ts";
import { type Search, searchAll } from "./search.ts";
import { missingEntry } from "./missing-entry.ts";

/** Page size for referrers. */
const pageSize = 500;

/** Maximum number of referrers that the index returns (Elasticsearch, max_result_window). */
const countable = 10_000;

/**
 * Marks an entity that will be deleted as unreadable if the token may not view one of its referrers, because the server would
 * also remove the reference from that referrer. Relationships omit such referrers (EntityRelationshipsResultResolver.java), but
 * searches do not.
 */
export async function withoutHiddenReferrers(
  reader: Reader,
  toDelete: readonly EntityKey[],
  live: Live,
  options: ReadOptions,
): Promise<Live> {
  const existing = toDelete.filter(
    (entity) => live.deletable?.has(entity.urn) && searchesFor(entity).length > 0,
  );
  if (existing.length === 0) return live;
  const referrersOf = new Map<Urn, readonly Urn[]>();
  const state = new Map(live.state);
  const unreadable = new Map(live.unreadable);
  const refuse = (urn: Urn, reason: string): void => {
    state.delete(urn);
    unreadable.set(urn, reason);
  };
  const found = await referrersFound(reader, existing, options);
  if (typeof found === "string") for (const { urn } of existing) refuse(urn, found);
  else
    for (const [urn, urns] of found) {
      const known = new Set(live.deletable?.get(urn)?.referring.map((each) => each.urn));
      referrersOf.set(
        urn,
        urns.filter((each) => !known.has(each)),
      );
    }
  const wanted = [...referrersOf.values()].flat().flatMap((urn) => entityToRead(urn, () => []));
  const referrers = await readLive(reader, stateOf(wanted), options);
  for (const [urn, others] of referrersOf) {
    for (const each of others) {
      const reason = referrers.unreadable.get(each);
      if (reason === undefined) continue;
      refuse(
        urn,
        `${each} refers to it, but ${isRestricted(reason) ? notViewable : `could not be read: ${reason}`}`,
      );
      break;
    }
  }
  return { ...live, state, unreadable };
}

/**
 * Finds the referrers of entities in the index, or returns the reason why they are unknown. Returns no referrers for a snapshot,
 * because a snapshot has no index and nothing is deleted from it.
 */
async function referrersFound(
  reader: Reader,
  entities: readonly EntityKey[],
  options: Abortable,
): Promise<ReadonlyMap<Urn, readonly Urn[]> | string> {
  const found = new Map<Urn, Urn[]>(entities.map(({ urn }) => [urn, []]));
  let open = entities.flatMap((entity) => searchesFor(entity).map((search) => ({ urn: entity.urn, search })));
  try {
    for (let start = 0; start < countable && open.length > 0; start += pageSize) {
      const searches = open.map(({ search }) => ({ ...search, start }));
      const answers = await searchAll(reader, searches, options);
      for (const [index, { urn }] of open.entries())
        appendTo(found.get(urn) ?? [], answers[index]?.urns ?? []);
      open = open.filter((_, index) => start + pageSize < (answers[index]?.total ?? 0));
    }
    return found;
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    if (error.message.endsWith(missingEntry)) return new Map();
    return `could not search for the entities that refer to it: ${error.message}`;
  }
}

function searchesFor(entity: EntityKey): readonly Search[] {
  const anyOf = conditionsOf([entity]);
  return anyOf.length > 0 ? [{ anyOf, max: pageSize, includesSoftDeleted: true }] : [];
}
