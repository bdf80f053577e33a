/** Computes the state of the catalog's entities after a plan. */

import { type Change, isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Plan } from "../../model/plan.ts";
import type { Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { pendingIn } from "../../model/held-back.ts";
import { facetsAfter } from "../base/values.ts";

/** The entities that exist after a plan, and the changes to them. */
export interface PlannedEntities {
  /** Returns an entity's state after the plan. `undefined` if the plan deletes the entity. */
  readonly after: (live: Entity) => Entity | undefined;
  readonly created: readonly Entity[];
  /** The changes that are not held back, keyed by entity. */
  readonly changes: ReadonlyMap<Urn, readonly Change[]>;
}

/** Returns the entities after a plan. Changes that the plan holds back are not included. */
export function plannedEntities(plan: Plan): PlannedEntities {
  const changes = groupBy(pendingIn(plan.changes), ({ urn }) => urn);
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
  return { ...live, facets: facetsAfter(live.facets, changes.filter(isFacetChange)) };
}
