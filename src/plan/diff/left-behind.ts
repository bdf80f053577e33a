import { facetNamed, memberships } from "../../facets/index.ts";
import type { Plan, Unmanaged } from "../../model/plan.ts";
import type { KindName, State } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { simpleColumn } from "../sides/columns.ts";

/** What a prune takes away: entities of some kinds, and values where the settings say so. */
export interface Prunable {
  readonly kinds: ReadonlySet<KindName>;
  readonly assignments: boolean;
}

/** What a plan leaves in the catalog though a prune would take it away. */
export interface LeftBehind {
  readonly entities: readonly Urn[];
  /** How many values of entities that stay. */
  readonly values: number;
}

/** What was declared before, is not now, and stays in the catalog after a plan that does not prune it. */
export function leftBehind(
  { unmanaged }: Pick<Plan, "unmanaged">,
  desired: State,
  { kinds, assignments }: Prunable,
): LeftBehind {
  const left = unmanaged.filter(({ reason }) => reason === "no-longer-declared");
  const isEntity = ({ urn, kind }: Unmanaged): boolean => kinds.has(kind) && !desired.has(urn);
  const entities = new Set(left.filter(isEntity).map(({ urn }) => urn));
  const values = assignments ? left.filter((each) => !isEntity(each) && isPrunable(each, desired)) : [];
  return { entities: [...entities], values: values.length };
}

// A value whose facet is declared stays by its mode, and no prune takes it away.
function isPrunable({ urn, facet, column, value }: Unmanaged, desired: State): boolean {
  if (facet === undefined || facetNamed(facet).isRequired) return false;
  if (facet === memberships.facet && isUrn(value) && desired.get(value)?.facets.has(memberships.inverse))
    return false;
  const declared = desired.get(urn)?.facets.get(facet);
  if (declared?.shape !== "map" || column === undefined) return declared === undefined;
  return ![...declared.entries.keys()].some((name) => name === column || name === simpleColumn(column));
}
