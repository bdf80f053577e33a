import { entitiesNamedIn } from "../../facets/places.ts";
import type { EntityChange, FacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Origin } from "../../model/origin.ts";
import { joined, type Path, type Place, placedLeaves, valueFrom } from "../../model/place.ts";
import type { DeclaredReference } from "../../model/reference.ts";
import {
  type Entity,
  type FacetValue,
  isMember,
  type Leaf,
  scalarOf,
  setOf,
  type State,
} from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { referredBy, valuesOf } from "../diff/values.ts";
import type { Created, Written } from "./written.ts";

/** What a rollback compares with the catalog. */
export interface RollbackStates {
  /** What was there before the run, at each place that the run changed; of sets what it removed. */
  readonly before: State;
  /** What the run left there; of sets what it added. */
  readonly left: State;
  /** What the run created, with the values that it gave it. */
  readonly created: State;
  /** Those of `before` that the run deleted. */
  readonly deleted: ReadonlySet<Urn>;
  /** Where the run replaced several values by a single one. */
  readonly several: readonly (Place & { readonly urn: Urn })[];
}

/** Turns what a run wrote into states. `origin` names the run. What an older report does not say of a deleted entity is not there. */
export function statesOf(
  { changed, created, deleted }: Omit<Written, "removed">,
  origin: Origin,
): RollbackStates {
  const again = deleted.filter(({ values }) => values !== undefined);
  const before = entitiesFrom(changed, (change) => {
    if (change.shape === "set") return setOf(change.remove, origin);
    return change.several ? setOf(change.several, origin) : scalarOf(change.before, origin);
  });
  // What an older report does not describe is not made again, and if others have done so it is theirs.
  for (const { urn, values } of deleted) if (values === undefined) before.delete(urn);
  for (const each of again) {
    // Edges that its members stored were removed before it was deleted.
    const { facets = new Map<string, FacetValue>() } = before.get(each.urn) ?? {};
    const entity = entityAgain(each, origin);
    before.set(each.urn, { ...entity, facets: new Map([...facets, ...entity.facets]) });
  }
  return {
    before,
    left: entitiesFrom(changed, leftBy),
    created: new Map(created.map((each) => [each.urn, { ...entityOf(each), origin }])),
    deleted: new Set(again.map(({ urn }) => urn)),
    several: changed.filter((change) => change.shape === "scalar" && change.several !== undefined),
  };
}

function leftBy(change: FacetChange): Leaf {
  if (change.shape === "set") return setOf(change.add);
  if (!change.several) return scalarOf(change.after);
  return setOf(isMember(change.after) ? [change.after] : []);
}

function entityOf({ urn, kind, changes }: Created): Entity {
  return entitiesFrom(changes, leftBy).get(urn) ?? { urn, kind, facets: new Map() };
}

function entitiesFrom(
  changes: readonly FacetChange[],
  leafOf: (change: FacetChange) => Leaf,
): Map<Urn, Entity> {
  const entities = new Map<Urn, Entity>();
  for (const [urn, own] of groupBy(changes, (change) => change.urn)) {
    const facets = new Map<string, FacetValue>();
    for (const change of own) {
      const value = valueFrom([[change.path ?? [], leafOf(change)]]);
      // References to what was deleted are removed beside what else changes in their set.
      facets.set(change.facet, joined(facets.get(change.facet), value, both));
    }
    const [first] = own;
    if (first) entities.set(urn, { urn, kind: first.kind, facets });
  }
  return entities;
}

function both(first: Leaf | undefined, second: Leaf): Leaf {
  if (first?.shape !== "set" || second.shape !== "set") return first ?? second;
  return setOf([...first.members, ...second.members], second.origin);
}

function entityAgain({ urn, kind, values = [] }: EntityChange, origin: Origin): Entity {
  const facets = [...groupBy(values, ({ facet }) => facet)].map(([facet, own]) => {
    const leaves = own.map((each): readonly [Path, Leaf] => [
      each.path ?? [],
      each.elements ? setOf(each.elements, origin) : scalarOf(each.value ?? null, origin),
    ]);
    return [facet, valueFrom(leaves)] as const;
  });
  return { urn, kind, facets: new Map(facets), origin };
}

/** The references of what a rollback puts back. */
export function referencesIn(state: State, origin: Origin): readonly DeclaredReference[] {
  return [...state.values()].flatMap(({ urn: from, facets }) =>
    placedLeaves(facets).flatMap(({ place, leaf }) =>
      referencesAt(place, leaf).map((urn) => ({
        urn,
        entityType: entityTypeOf(urn),
        from,
        ...place,
        origin,
      })),
    ),
  );
}

/** The entities that a value and the keys that lead to it refer to. */
export function referencesAt(place: Place, leaf: Leaf): readonly Urn[] {
  const values = valuesOf(leaf);
  return values.length === 0 ? [] : [...entitiesNamedIn(place), ...referredBy(place.facet, values)];
}
