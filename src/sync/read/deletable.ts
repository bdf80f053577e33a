/** Reads the facts that deletions depend on: aspects, referrers and children. */

import { relationshipBelow } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Deletable, Live } from "../../model/live.ts";
import type { EntityKey, Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { withReferencesRead } from "../../plan/align/references-read.ts";
import { definitionsIn, isSoftDeletedByPrune } from "../../plan/base/definitions.ts";
import { parentIn } from "../../plan/base/parents.ts";
import type { Reader } from "../../datahub/client.ts";
import { entityToRead, stateOf } from "./entities-to-read.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";
import { searchUses } from "./incoming-references.ts";
import { deletableIn, readReferring } from "./outgoing-references.ts";
import type { Found } from "./search.ts";

/** Treats definitions that a prune soft-deleted as missing if `isAmong` selects them, because they have already been deleted. */
export function withoutSoftlyPruned(live: Live, isAmong: (urn: Urn) => boolean): Live {
  const pruned = [...definitionsIn(live.state).values()].filter(
    (entity) => isAmong(entity.urn) && isSoftDeletedByPrune(entity),
  );
  if (pruned.length === 0) return live;
  const [state, missing] = [new Map(live.state), new Map(live.missing)];
  for (const { urn } of pruned) {
    state.delete(urn);
    missing.set(urn, "soft-deleted");
  }
  return { ...live, state, missing };
}

/** Adds the aspects and referrers of entities that will be deleted. Referrers are read from the index and from live state. */
export async function withDeletable(
  reader: Reader,
  entities: readonly EntityKey[],
  live: Live,
  options: ReadOptions,
): Promise<Live> {
  const existing = entities.filter(({ urn }) => live.state.has(urn));
  if (existing.length === 0) return live;
  const answers = await readReferring(reader, existing, options);
  const uses = await searchUses(reader, existing, options);
  const [state, unreadable] = [new Map(live.state), new Map(live.unreadable)];
  const deletable = new Map<Urn, Deletable>();
  for (const [index, { urn, kind }] of existing.entries()) {
    const answer = answers.get(urn) ?? "the server's response does not contain this entity";
    const found = typeof answer === "string" ? answer : deletableIn(answer, kind);
    if (typeof found === "object") deletable.set(urn, withUses(found, kind, uses[index]));
    else {
      state.delete(urn);
      unreadable.set(urn, found);
    }
  }
  return { ...live, state, unreadable, deletable: withReferencesRead(deletable, existing, live) };
}

/** Adds the entities that use a definition as a value. Only a search can find these entities. */
function withUses(found: Deletable, kind: string, uses: Found | undefined): Deletable {
  if (!kindOf(kind).deletion?.usedIn) return found;
  if (!uses) return { ...found, assignments: undefined };
  // If the search did not return all entities, none are listed, because the next search may return different entities.
  const named = uses.total === uses.urns.length ? uses.urns : [];
  return { ...found, referring: named.map((urn) => ({ type: "uses", urn })), assignments: uses.total };
}

/**
 * Adds the children of entities that will be deleted. Finds them in the index, which may lag, and checks them against their own
 * aspects if these are readable.
 */
export async function withChildren(
  reader: Reader,
  entities: readonly Entity[],
  live: Live,
  options: ReadOptions,
): Promise<Live> {
  const { deletable, state, missing } = live;
  const named = entities.flatMap(({ urn: parent, kind }) => {
    const type = relationshipBelow(kindOf(kind));
    const edges = (deletable?.get(parent)?.referring ?? []).filter((edge) => edge.type === type);
    return edges.flatMap(({ urn }) => (urn ? [{ parent, urn }] : []));
  });
  const unknown = named.filter(({ urn }) => !state.has(urn) && !missing.has(urn));
  if (unknown.length === 0) return live;
  const wanted = unknown.flatMap(({ urn }) => entityToRead(urn, () => []));
  const found = await readLive(reader, stateOf(wanted), options);
  const isBelow = ({ parent, urn }: { readonly parent: Urn; readonly urn: Urn }): boolean =>
    found.state.has(urn) ? parentIn(found.state, urn)?.value === parent : !found.missing.has(urn);
  const byParent = groupBy(unknown.filter(isBelow), ({ parent }) => parent);
  const below = new Map([...byParent].map(([parent, group]) => [parent, group.map(({ urn }) => urn)]));
  return { ...live, below };
}
