import { relationshipBelow } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Deletable, Live } from "../../model/live.ts";
import type { Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { parentIn } from "../../plan/sides/parents.ts";
import type { Reader } from "../../datahub/client.ts";
import { bare } from "./above.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";
import { deletableIn, readReferring } from "./referring.ts";

/**
 * Live state with what is there of entities that are to be deleted and refers to them. One of which that could not be read is
 * `unreadable`. Throws `CatalogError` when the server cannot be asked, and the reason of a signal.
 */
export async function withDeletable(
  reader: Reader,
  entities: readonly Pick<Entity, "urn" | "kind">[],
  live: Live,
  options: ReadOptions,
): Promise<Live> {
  const there = entities.filter(({ urn }) => live.state.has(urn));
  if (there.length === 0) return live;
  const answers = await readReferring(reader, there, options);
  const [state, unreadable] = [new Map(live.state), new Map(live.unreadable)];
  const deletable = new Map<Urn, Deletable>();
  for (const { urn, kind } of there) {
    const answer = answers.get(urn) ?? "the answer of the server does not include it";
    const found = typeof answer === "string" ? answer : deletableIn(answer, kind);
    if (typeof found === "object") deletable.set(urn, found);
    else {
      state.delete(urn);
      unreadable.set(urn, found);
    }
  }
  return { ...live, state, unreadable, deletable };
}

/**
 * Live state with what is below the entities that are to be deleted and was not read yet. The index names it, which may lag:
 * its own aspects decide, where they can be read. Throws as `withDeletable` does.
 */
export async function withBelow(
  reader: Reader,
  entities: readonly Pick<Entity, "urn" | "kind">[],
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
  const wanted = unknown.flatMap(({ urn }) => bare(urn)).map((entity) => [entity.urn, entity] as const);
  const found = await readLive(reader, new Map(wanted), options);
  const isBelow = ({ parent, urn }: { readonly parent: Urn; readonly urn: Urn }): boolean =>
    found.state.has(urn) ? parentIn(found.state, urn)?.value === parent : !found.missing.has(urn);
  const byParent = groupBy(unknown.filter(isBelow), ({ parent }) => parent);
  const below = new Map([...byParent].map(([parent, some]) => [parent, some.map(({ urn }) => urn)]));
  return { ...live, below };
}
