/** Checks whether the server's release has the features that policies use, and reports each missing feature as a problem. */

import type { Reader } from "../../datahub/client.ts";
import type { CatalogPolicy } from "../../model/catalog-policy.ts";
import type { ProblemOf } from "../../model/problem.ts";
import { probeTypes } from "../read/capabilities.ts";
import { typesOf } from "../read/optional-types.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { neededByPolicies, lackedByPolicies } from "../../plan/policies/releases.ts";

/**
 * Returns a problem for each feature that policies use and the server's release lacks. Queries the server only for features that
 * some releases lack. Throws `CatalogError` if a request fails, or the signal's reason if it is aborted.
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
