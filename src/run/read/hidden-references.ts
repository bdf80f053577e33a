import type { Reader } from "../../datahub/client.ts";
import { appendTo } from "../../model/append.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Live } from "../../model/live.ts";
import { isRestricted, notViewable } from "../../model/restricted.ts";
import type { Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { entityToRead, stateOf } from "./entities-to-read.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";
import { conditionsOf } from "./incoming-references.ts";
import { missingEntry } from "../snapshot/snapshot.ts";
import { type Search, searchAll } from "./search.ts";

/** How many referrers a search answers at once. */
const page = 500;

/** How many referrers the index names at most (Elasticsearch, max_result_window). */
const countable = 10_000;

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
  const there = gone.filter((entity) => live.deletable?.has(entity.urn) && searchesFor(entity).length > 0);
  if (there.length === 0) return live;
  const referrersOf = new Map<Urn, readonly Urn[]>();
  const state = new Map(live.state);
  const unreadable = new Map(live.unreadable);
  const refuse = (urn: Urn, reason: string): void => {
    state.delete(urn);
    unreadable.set(urn, reason);
  };
  const found = await referrersFound(reader, there, options);
  if (typeof found === "string") for (const { urn } of there) refuse(urn, found);
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
        `${each} refers to it, and ${isRestricted(reason) ? notViewable : `could not be read: ${reason}`}`,
      );
      break;
    }
  }
  return { ...live, state, unreadable };
}

/** What the index names as referring to entities, or why that is not known. A snapshot has no index, and nothing is deleted by one. */
async function referrersFound(
  reader: Reader,
  entities: readonly Pick<Entity, "urn" | "kind">[],
  options: Pick<ReadOptions, "signal">,
): Promise<ReadonlyMap<Urn, readonly Urn[]> | string> {
  const found = new Map<Urn, Urn[]>(entities.map(({ urn }) => [urn, []]));
  let open = entities.flatMap((entity) => searchesFor(entity).map((search) => ({ urn: entity.urn, search })));
  try {
    for (let start = 0; start < countable && open.length > 0; start += page) {
      const searches = open.map(({ search }) => ({ ...search, start }));
      const answers = await searchAll(reader, searches, options);
      for (const [index, { urn }] of open.entries())
        appendTo(found.get(urn) ?? [], answers[index]?.urns ?? []);
      open = open.filter((_, index) => start + page < (answers[index]?.total ?? 0));
    }
    return found;
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    if (error.message.endsWith(missingEntry)) return new Map();
    return `what refers to it could not be searched for: ${error.message}`;
  }
}

function searchesFor(entity: Pick<Entity, "urn" | "kind">): readonly Search[] {
  const anyOf = conditionsOf([entity]);
  return anyOf.length > 0 ? [{ anyOf, most: page, includesSoftDeleted: true }] : [];
}
