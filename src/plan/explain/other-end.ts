/** Adds to an explained entity the edges that are declared or stored at their other end. */

import { type EdgeSet, edgeSets } from "../../facets/index.ts";
import { type Change, type Fight, type Hold, isSetChange, type SetChange } from "../../model/change.ts";
import { type KnownEdges, noMemberships } from "../../model/membership.ts";
import type { Mode, Modes } from "../../model/settings.ts";
import { type Contribution, type Entity, setOf, type SetValue, type State } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { setAt } from "../base/values.ts";
import { contributionsTo } from "../base/declared-before.ts";
import type { BothSides, ModePlace } from "./explained-facets.ts";

/** The declared and live edges, and their changes. */
interface Known {
  /** All declarations in the manifests. */
  readonly declared: State;
  readonly edges: KnownEdges;
  /** The changes of all entities. */
  readonly changes: readonly Change[];
}

/** One end of an edge set: the facet at this end, and the facet at the other end. */
interface End {
  readonly facet: string;
  readonly inverse: string;
  readonly of: EdgeSet;
}

/** Returns the ends at which entities of a kind can have edges. */
export function endsOf(kind: string): readonly End[] {
  return edgeSets.flatMap((of): readonly End[] => {
    const { facet, inverse } = of;
    if (kind === of.kind.name) return [{ facet, inverse, of }];
    return of.inverseKinds.some(({ name }) => name === kind) ? [{ facet: inverse, inverse: facet, of }] : [];
  });
}

/** Adds all edges to an entity's declared and live values, no matter which end declares them. */
export function withEdges(sides: BothSides, known: Known): BothSides {
  let all = sides;
  for (const end of endsOf(sides.desired.kind)) all = withEdgesAt(end, all, known);
  return all;
}

function withEdgesAt(end: End, sides: BothSides, known: Known): BothSides {
  const { desired, live } = sides;
  const { urn } = desired;
  const others = declaringFrom(known.declared, urn, end.inverse);
  const own = setAt(known.declared.get(urn), end.facet);
  const changed = changesOf(desired, end, known.changes);
  const changes = [...sides.changes.filter(({ facet }) => facet !== end.facet), ...changed];
  const isManaged = own !== undefined || others.length > 0 || changed.length > 0;
  const shown: BothSides = {
    ...sides,
    desired: withValue(desired, end.facet, isManaged ? together(urn, own, others, end.inverse) : undefined),
    live: live && withValue(live, end.facet, setOf(neighboursOf(urn, end, known.edges))),
    changes,
  };
  const losing = changed.flatMap(({ remove }) => remove.filter(isUrn));
  const deciding = [...others, ...losing.flatMap((other) => known.declared.get(other) ?? [])];
  return own ? shown : withModesOf(deciding[0], shown, end);
}

/** Returns the entities that declare an edge to the given entity. */
function declaringFrom(declared: State, urn: Urn, inverse: string): readonly Entity[] {
  return [...declared.values()].filter((each) => setAt(each, inverse)?.members.includes(urn));
}

function together(urn: Urn, own: SetValue | undefined, others: readonly Entity[], inverse: string): SetValue {
  const by = others.flatMap((each): readonly Contribution[] => {
    const list = setAt(each, inverse);
    const places = list ? contributionsTo(list).filter(({ values }) => values.includes(urn)) : [];
    return places.map((place) => ({ ...place, values: [each.urn] }));
  });
  return {
    ...setOf([...(own?.members ?? []), ...others.map((each) => each.urn)]),
    by: [...(own ? contributionsTo(own) : []), ...by],
  };
}

function withValue(entity: Entity, facet: string, value: SetValue | undefined): Entity {
  const facets = new Map(entity.facets);
  if (value) facets.set(facet, value);
  else facets.delete(facet);
  return { ...entity, facets };
}

function neighboursOf(urn: Urn, { facet, of }: End, known: KnownEdges): readonly Urn[] {
  const { groupsOf } = known.get(of.facet) ?? noMemberships;
  if (facet === of.inverse) return [...(groupsOf.get(urn) ?? [])];
  return [...groupsOf].flatMap(([member, groups]) => (groups.has(urn) ? [member] : []));
}

/** Returns the edge changes from the perspective of one end. In plans, an edge change is always a change to the group. */
function changesOf(
  { urn, kind }: Entity,
  { facet, of }: End,
  changes: readonly Change[],
): readonly SetChange[] {
  const edges = changes.filter(isSetChange).filter((change) => change.facet === of.facet);
  if (facet === of.facet) return edges.filter((change) => change.urn === urn);
  const add = edges.filter((change) => change.add.includes(urn)).map((change) => change.urn);
  const remove = edges.filter((change) => change.remove.includes(urn)).map((change) => change.urn);
  if (add.length + remove.length === 0) return [];
  const [fights, holds] = [
    edges.flatMap((change) => atGroup<Fight>(change, urn, change.fights)),
    edges.flatMap((change) => atGroup<Hold>(change, urn, change.holds)),
  ];
  return [
    {
      shape: "set",
      action: "update",
      kind,
      urn,
      facet,
      add,
      remove,
      fingerprint: "",
      ...(fights.length > 0 && { fights }),
      ...(holds.length > 0 && { holds }),
    },
  ];
}

/** Converts fights or holds about a member to the member's perspective, in which the group is the value. */
function atGroup<Held extends Fight | Hold>(
  { urn: value }: SetChange,
  member: Urn,
  all: readonly Held[] = [],
): readonly Held[] {
  return all.filter((each) => each.value === member).map((each) => ({ ...each, value }));
}

/** For edges that only the other end declares, replaces the mode with the mode of that end. */
function withModesOf(other: Entity | undefined, sides: BothSides, { facet, inverse }: End): BothSides {
  const { [facet]: _, ...manage }: Modes = sides.desired.manage ?? {};
  const given = other?.manage?.[inverse];
  const source = other?.modePlaces?.get(inverse);
  const fromSettings = sides.modes[inverse] ?? sides.modes[facet];
  const place = (mode: Mode): ModePlace => ({ facet, mode, ...(source && { source }) });
  return {
    ...sides,
    desired: { ...sides.desired, manage: { ...manage, ...(given && { [facet]: given }) } },
    modes: { ...sides.modes, ...(fromSettings && { [facet]: fromSettings }) },
    modePlaces: given ? [...sides.modePlaces, place(given)] : sides.modePlaces,
  };
}
