/** Computes a catalog's entities as a plan leaves them. */

import { type Change, isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Plan } from "../../model/plan.ts";
import type { Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { partitionHeldBack } from "../../model/held-back.ts";
import { valueAfter } from "../base/values.ts";

/** The entities after a plan. */
export interface PlannedEntities {
  /** Returns an entity after the plan; `undefined` if the plan deletes it. */
  readonly after: (live: Entity) => Entity | undefined;
  /** The entities that the plan creates. */
  readonly created: readonly Entity[];
  /** The changes that are not held back, by entity. */
  readonly changes: ReadonlyMap<Urn, readonly Change[]>;
}

/** Returns the catalog after a plan, without the changes that it holds back. */
export function plannedEntities(plan: Plan): PlannedEntities {
  const changes = groupBy(partitionHeldBack(plan).pending, ({ urn }) => urn);
  const after = (live: Entity): Entity | undefined => changedBy(live, changes.get(live.urn) ?? []);
  const created = [...changes].flatMap(([urn, own]): readonly Entity[] => {
    const [first] = own;
    if (!first || !own.some(({ action }) => action === "create")) return [];
    const entity = after({ urn, kind: first.kind, facets: new Map() });
    return entity ? [entity] : [];
  });
  return { after, created, changes };
}

function changedBy(live: Entity, changes: readonly Change[]): Entity | undefined {
  if (changes.some(({ shape, action }) => shape === "entity" && action === "delete")) return undefined;
  const facets = new Map(live.facets);
  for (const change of changes.filter(isFacetChange))
    facets.set(change.facet, valueAfter(facets.get(change.facet), change));
  return { ...live, facets };
}
