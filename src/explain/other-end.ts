import { memberships } from "../facets/index.ts";
import { type FacetChange, isFacetChange, isSetChange, type Change } from "../model/change.ts";
import { type Entity, setOf } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import type { Sides } from "./explained-facets.ts";

/** Edges of an entity that plans show at their other end: what it declares, what is there, and what changes. */
interface OtherEnd {
  /** The entity as manifests declare it. */
  readonly declared: Entity | undefined;
  readonly groupsOf: ReadonlyMap<Urn, ReadonlySet<Urn>>;
  /** The changes of all entities. */
  readonly changes: readonly Change[];
}

/** Both sides of an entity with its edges as it declares them, where plans show them at their other end. */
export function withOtherEnd<Some extends Pick<Sides, "desired" | "live" | "changes">>(
  sides: Some,
  { declared, groupsOf, changes }: OtherEnd,
): Some {
  const { desired, live } = sides;
  if (desired.kind !== memberships.inverseKind.name) return sides;
  const facet = memberships.inverse;
  const own = declared?.facets.get(facet);
  const groups = groupsOf.get(desired.urn);
  return {
    ...sides,
    desired: own ? { ...desired, facets: new Map([...desired.facets, [facet, own]]) } : desired,
    live: live && groups ? { ...live, facets: new Map([...live.facets, [facet, setOf([...groups])]]) } : live,
    changes: [...sides.changes, ...changeOf(desired, changes)],
  };
}

function changeOf({ urn, kind }: Entity, changes: readonly Change[]): readonly FacetChange[] {
  const edges = changes
    .filter(isFacetChange)
    .filter(isSetChange)
    .filter(({ facet }) => facet === memberships.facet);
  const add = edges.filter((change) => change.add.includes(urn)).map((change) => change.urn);
  const remove = edges.filter((change) => change.remove.includes(urn)).map((change) => change.urn);
  if (add.length + remove.length === 0) return [];
  const { inverse: facet } = memberships;
  return [{ shape: "set", action: "update", kind, urn, facet, add, remove, fingerprint: "" }];
}
