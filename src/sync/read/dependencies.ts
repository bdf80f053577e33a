/** Reads the definitions that a partial plan depends on. */

import { edgeSets } from "../../facets/index.ts";
import type { Live } from "../../model/live.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { groupListsIn, membersByListedGroup } from "../../plan/base/group-lists.ts";
import { isDefinition, isReferenceable } from "../../plan/base/definitions.ts";
import type { Reader } from "../../datahub/client.ts";
import { stateOf } from "./entities-to-read.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";
import type { Desired } from "../../plan/base/catalog.ts";

/** The live state, and the URNs of entities for which all required data was read. */
interface Needed {
  readonly live: Live;
  readonly looked: ReadonlySet<Urn>;
}

/**
 * Adds the declared definitions that a partial plan needs. These are the definitions that its entities refer to. If such a
 * definition does not exist yet, the definitions that it refers to are also added.
 */
export async function withDependencies(
  reader: Reader,
  { desired, entities, part }: { desired: Desired; entities: State; part: ReadonlySet<Urn> },
  live: Live,
  options: ReadOptions,
): Promise<Needed> {
  const listing = edgeSets.map((edges) => membersByListedGroup(groupListsIn(desired.state, edges)));
  const readUrns = new Set(part);
  const [state, missing] = [new Map(live.state), new Map(live.missing)];
  const unreadable = new Map(live.unreadable);
  const wasRead = (urn: Urn): boolean => state.has(urn) || missing.has(urn) || unreadable.has(urn);
  for (let fresh: Iterable<Urn> = part; ;) {
    const level = new Set(fresh);
    const named = new Set([...level].flatMap((urn) => listing.flatMap((by) => by.get(urn) ?? [])));
    for (const { from, urn } of desired.references) if (level.has(from)) named.add(urn);
    const unread = new Set([...named].filter((urn) => isDefinition(desired.state, urn) && !wasRead(urn)));
    if (unread.size === 0) return { live: { ...live, state, missing, unreadable }, looked: readUrns };
    const wanted = [...unread].flatMap((urn) => entities.get(urn) ?? []);
    const found = await readLive(reader, stateOf(wanted), options);
    for (const [urn, entity] of found.state) state.set(urn, entity);
    for (const [urn, why] of found.missing) missing.set(urn, why);
    for (const [urn, error] of found.unreadable) unreadable.set(urn, error);
    const isThere = (urn: Urn): boolean => unreadable.has(urn) || isReferenceable(state.get(urn));
    fresh = [...unread].filter((urn) => !isThere(urn));
    for (const urn of fresh) readUrns.add(urn);
  }
}
