import { kindOfType } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import type { Entity, State } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { parentsIn } from "../../plan/sides/parents.ts";
import type { Reader } from "../client/client.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";

/**
 * Live state with the entities above every declared parent, by declared and by live parents, up to the root. It reads
 * only what was not read before, one level after the other; a cycle ends the way up. Throws `CatalogError` when the
 * server cannot be asked.
 */
export async function withAbove(
  reader: Reader,
  wanted: State,
  live: Live,
  { onProgress: _, ...options }: ReadOptions = {},
): Promise<Live> {
  const above = new Map<Urn, Entity>();
  const unreadable = new Map(live.unreadable);
  const seen = new Set<Urn>();
  let level = parentsOf(wanted.keys(), [wanted], seen);
  while (level.length > 0) {
    const unread = level.filter((urn) => !wanted.has(urn)).flatMap(bare);
    const found = await readLive(reader, new Map(unread.map((entity) => [entity.urn, entity])), options);
    for (const [urn, entity] of found.state) above.set(urn, entity);
    for (const [urn, error] of found.unreadable) unreadable.set(urn, error);
    level = parentsOf(level, [wanted, live.state, above], seen);
  }
  return { ...live, above, unreadable };
}

/** All parents that some entities have in these states, of those that were not seen before. */
function parentsOf(urns: Iterable<Urn>, states: readonly State[], seen: Set<Urn>): readonly Urn[] {
  const ways = states.map((state) => parentsIn(state));
  const parents = new Set([...urns].flatMap((urn) => ways.flatMap((parentOf) => parentOf(urn) ?? [])));
  const fresh = [...parents].filter((parent) => !seen.has(parent));
  for (const parent of fresh) seen.add(parent);
  return fresh;
}

/** An entity of which nothing is declared. */
function bare(urn: Urn): readonly Entity[] {
  const kind = kindOfType(entityTypeOf(urn))?.name;
  return kind === undefined ? [] : [{ urn, kind, facets: new Map() }];
}
