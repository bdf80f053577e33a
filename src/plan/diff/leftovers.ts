import { namesOfPlace } from "../../facets/places.ts";
import { leafIn, placeAt } from "../../model/place.ts";
import { edgeSetOf, facetNamed } from "../../facets/index.ts";
import type { DormantValue, Leftovers, Plan, Unmanaged } from "../../model/plan.ts";
import type { KindName, State } from "../../model/state.ts";
import { isUrn } from "../../model/urn.ts";

/** What a prune deletes: entities of some kinds, and values where the settings say so. */
export interface Prunable {
  readonly kinds: ReadonlySet<KindName>;
  readonly assignments: boolean;
}

/** What manifests declare, and what was declared before, where that is known. */
interface Declared {
  readonly desired: State;
  readonly before: State | undefined;
}

/** Adds to a plan of a catalog directory what it leaves though a prune would remove it, and what is `away` for now. */
export function withLeftovers(
  plan: Plan,
  declared: Declared,
  prunable: Prunable | undefined,
  away: readonly DormantValue[] = [],
): Plan {
  const left = prunable && leftoversOf(plan, declared, prunable, away);
  return left && plan.scope ? { ...plan, scope: { ...plan.scope, left } } : plan;
}

/** What was declared before, is not now, and stays in the catalog after a plan that does not prune it, if there is any. */
function leftoversOf(
  { unmanaged }: Pick<Plan, "unmanaged">,
  { desired, before }: Declared,
  { kinds, assignments }: Prunable,
  away: readonly DormantValue[],
): Leftovers | undefined {
  const left = unmanaged.filter(({ reason }) => reason === "no-longer-declared");
  // What a member lists says nothing of the groups themselves: those may never have been declared.
  const isEntity = ({ urn, kind }: Unmanaged): boolean =>
    kinds.has(kind) && !desired.has(urn) && before?.has(urn) === true;
  const entities = new Set(left.filter(isEntity).map(({ urn }) => urn));
  const values = assignments ? left.filter((each) => !isEntity(each) && isPrunable(each, desired)) : [];
  if (entities.size + values.length + away.length === 0) return undefined;
  return { entities: [...entities], values: values.length, ...(away.length > 0 && { away }) };
}

// A value whose facet is declared stays by its mode, and no prune takes it away.
function isPrunable({ urn, facet, path = [], value }: Unmanaged, desired: State): boolean {
  if (facet === undefined || facetNamed(facet).isRequired) return false;
  const inverse = edgeSetOf(facet)?.inverse;
  if (inverse !== undefined && isUrn(value) && desired.get(value)?.facets.has(inverse)) return false;
  return !namesOfPlace(placeAt(facet, path)).some((place) => leafIn(desired.get(urn), place) !== undefined);
}
