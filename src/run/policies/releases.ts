import type { Reader } from "../../datahub/client.ts";
import type { CatalogPolicy } from "../../model/catalog-policy.ts";
import type { ProblemOf } from "../../model/problem.ts";
import { lackedByPolicies, neededByPolicies } from "../../plan/checks/releases.ts";
import { probeTypes } from "../read/capabilities.ts";
import { typesOf } from "../read/optional-types.ts";
import type { ReadOptions } from "../read/read-batches.ts";

/**
 * What policies name and the server's release does not have. Asks the server only where they name what not every release has.
 * Throws `CatalogError` where it cannot be asked, and the reason of the signal.
 */
export async function releaseProblemsOf(
  policies: readonly CatalogPolicy[],
  reader: Reader,
  { signal }: Pick<ReadOptions, "signal">,
): Promise<readonly ProblemOf<"policy-not-in-release">[]> {
  const needs = neededByPolicies(policies);
  const fields = await probeTypes(reader, typesOf(needs.map(({ feature }) => feature.field)), signal);
  return lackedByPolicies(needs, { fields });
}
