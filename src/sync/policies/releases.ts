/** Checks whether the server's release has the features that policies name, and reports a problem for each missing feature. */

import type { Reader } from "../../datahub/client.ts";
import type { CatalogPolicy } from "../../model/catalog-policy.ts";
import type { ProblemOf } from "../../model/problem.ts";
import { probeTypes } from "../read/capabilities.ts";
import { typesOf } from "../read/optional-types.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { neededByPolicies, lackedByPolicies } from "../../plan/policies/releases.ts";

/**
 * A problem for each feature that policies name and the server's release lacks. Asks the server only about features that not every
 * release has. Throws `CatalogError` if a request fails, and the reason of the signal.
 */
export async function releaseProblemsOf(
  policies: readonly CatalogPolicy[],
  reader: Reader,
  { signal }: ReadOptions,
): Promise<readonly ProblemOf<"policy-not-in-release">[]> {
  const needs = neededByPolicies(policies);
  const fields = await probeTypes(reader, typesOf(needs.map(({ feature }) => feature.field)), signal);
  return lackedByPolicies(needs, { fields });
}
