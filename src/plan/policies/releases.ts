/** Determines the server features that policies require, and reports features that the server's release does not support. */

import type { CatalogPolicy } from "../../model/catalog-policy.ts";
import type { Feature } from "../../facets/facet.ts";
import { needsOf, requirementsOf, conditionsOf } from "./policy.ts";
import { facetsOf } from "../../facets/index.ts";
import { type ServerFields, lacksField } from "../../model/live.ts";
import type { ProblemOf } from "../../model/problem.ts";
import type { Origin } from "../../model/origin.ts";

/** A server feature that a policy requires because the policy refers to a facet. */
export interface NeedOfPolicy {
  readonly policy: CatalogPolicy;
  readonly facet: string;
  readonly feature: Feature;
}

/** Returns the server features that policies require. */
export function neededByPolicies(policies: readonly CatalogPolicy[]): readonly NeedOfPolicy[] {
  return policies.flatMap((policy) => {
    const { facets: named } = needsOf(policy.kind, [policy], []);
    return facetsOf(policy.kind).flatMap((facet) => {
      const feature = named.has(facet.name) ? facet.needs?.(policy.kind, null) : undefined;
      return feature ? [{ policy, facet: facet.name, feature }] : [];
    });
  });
}

/** Returns problems for policies that require a feature which the server's release does not support. */
export function lackedByPolicies(
  needs: readonly NeedOfPolicy[],
  live: ServerFields,
): readonly ProblemOf<"policy-not-in-release">[] {
  return needs
    .filter(({ feature }) => lacksField(live, feature.field))
    .map(({ policy, facet, feature: { what, release } }) => ({
      code: "policy-not-in-release",
      severity: "error",
      args: { policy: policy.id, facet, what, release },
      origin: placeOf(policy, facet),
    }));
}

function placeOf(policy: CatalogPolicy, facet: string): Origin {
  const required = requirementsOf(policy).find((each) => each.facet === facet)?.origin;
  const matched = conditionsOf(policy).find(({ key }) => key === facet)?.origin;
  return required ?? matched ?? policy.checkOrigin ?? policy.origin;
}
