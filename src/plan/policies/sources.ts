/** Finds the manifest position of the change that causes a violation. */

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
 * Returns a function that finds the cause of a violation. The first choice is a change to a facet that the policy uses,
 * preferably in the violating column. The next choices are a change to a different entity that affects the result, and any change
 * to the entity itself.
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
    const affecting = others.find((cause) => affects(cause, policy.kind, named)) ?? others[0];
    const source = (atColumn ?? about[0] ?? affecting ?? own[0])?.source;
    return source && { file: source.file, line: source.line, column: source.column };
  };
}

/** Whether a change to a different entity may affect one of the given facets. */
function affects(cause: Change, kind: KindName, named: ReadonlySet<string>): boolean {
  if (isFacetChange(cause)) return named.has(cause.facet);
  return facetsNaming(kind, named, entityTypeOf(cause.urn)).length > 0;
}
