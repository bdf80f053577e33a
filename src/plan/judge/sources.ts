import { columnOf } from "../../facets/places.ts";
import type { CatalogPolicy, Judged } from "../../model/catalog-policy.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Origin } from "../../model/origin.ts";
import type { KindName } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { facetsNaming } from "./effects.ts";
import { needsOf } from "./policy.ts";

/**
 * Finds the change that causes a violation: one of a facet that the policy names, at the column where it is about one; of an
 * entity that does not change itself the one that alters its result.
 */
export function sourcesIn(
  changes: readonly Change[],
  causes: ReadonlyMap<Urn, readonly Change[]>,
): (policy: CatalogPolicy, judged: Judged) => Origin | undefined {
  const byUrn = groupBy(changes, ({ urn }) => urn);
  const facetsOf = new Map<CatalogPolicy, ReadonlySet<string>>();
  return (policy, { urn, column }) => {
    const named = facetsOf.get(policy) ?? needsOf(policy.kind, [policy], []).facets;
    facetsOf.set(policy, named);
    const own = (byUrn.get(urn) ?? []).filter(({ source }) => source !== undefined);
    const about = own.filter(({ facet }) => facet !== undefined && named.has(facet));
    const atColumn = about.find((change) => columnOf(change) === column);
    const others = (causes.get(urn) ?? []).filter(({ source }) => source !== undefined);
    const taking = others.find((cause) => takesFrom(cause, policy.kind, named)) ?? others[0];
    const source = (atColumn ?? about[0] ?? taking ?? own[0])?.source;
    return source && { file: source.file, line: source.line, column: source.column };
  };
}

/** Whether a change of another entity may alter one of some facets. */
function takesFrom(cause: Change, kind: KindName, named: ReadonlySet<string>): boolean {
  if (isFacetChange(cause)) return named.has(cause.facet);
  return facetsNaming(kind, named, entityTypeOf(cause.urn)).length > 0;
}
