/** Reads the ancestors of entities, such as the parents of a domain. */

import type { Live } from "../../model/live.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { parentsIn } from "../../plan/base/parents.ts";
import type { Reader } from "../../datahub/client.ts";
import { entityToRead, stateOf } from "./entities-to-read.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";

/**
 * Adds the ancestors of entities, following declared and live parents up to the root or a cycle. Reads level by level, and skips
 * entities that have already been read.
 */
export async function withAncestors(
  reader: Reader,
  { declared, from }: { readonly declared: State; readonly from: Iterable<Urn> },
  live: Live,
  options: ReadOptions = {},
): Promise<Live> {
  const [state, missing] = [new Map(live.state), new Map(live.missing)];
  const above = new Map<Urn, Entity>();
  const unreadable = new Map(live.unreadable);
  const wasRead = (urn: Urn): boolean => state.has(urn) || missing.has(urn) || unreadable.has(urn);
  const seen = new Set<Urn>();
  let level = parentsOf(from, [declared], seen);
  while (level.length > 0) {
    const unread = level
      .filter((urn) => !wasRead(urn))
      .flatMap((urn) => declared.get(urn) ?? entityToRead(urn, () => []));
    const found = await readLive(reader, stateOf(unread), options);
    for (const [urn, entity] of found.state) (declared.has(urn) ? state : above).set(urn, entity);
    for (const [urn, why] of found.missing) if (declared.has(urn)) missing.set(urn, why);
    for (const [urn, error] of found.unreadable) unreadable.set(urn, error);
    level = parentsOf(level, [declared, state, above], seen);
  }
  return { ...live, state, missing, unreadable, above };
}

/** Returns the parents of these entities according to the given states, without parents that were already returned. */
function parentsOf(urns: Iterable<Urn>, states: readonly State[], seen: Set<Urn>): readonly Urn[] {
  const lookups = states.map((state) => parentsIn(state));
  const parents = new Set([...urns].flatMap((urn) => lookups.flatMap((parentOf) => parentOf(urn) ?? [])));
  const fresh = [...parents].filter((parent) => !seen.has(parent));
  for (const parent of fresh) seen.add(parent);
  return fresh;
}
