/** Reevaluates the policies of a new or saved plan against the current catalog. */

import { createReader } from "../../datahub/client.ts";
import { declaringIn } from "../../workflow/scope/scope.ts";
import { evaluatePlan } from "../../workflow/evaluate-plan.ts";
import { isError } from "../../model/problem.ts";
import type { Plan } from "../../model/plan.ts";
import { ignoring } from "../../plan/base/ignore.ts";
import { ManifestError } from "../../workflow/scope/errors.ts";
import { readManifests, type Repository } from "../../workflow/scope/repository.ts";
import { createdAt } from "../created-at.ts";
import type { Io } from "../io.ts";
import type { Target } from "../options/target.ts";
import type { Planned } from "./plan-run.ts";

/** Returns a new plan with updated policy verdicts. */
export async function reevaluate({ plan, scope, target }: Planned, io: Io): Promise<Plan> {
  return await evaluatePlan(plan, createReader(target.connection), {
    policies: scope.desired,
    base: scope.policiesBefore,
    declaring: declaringIn(scope),
    at: createdAt(io),
    signal: io.interrupted,
  });
}

/**
 * Returns a saved plan with updated policy verdicts, based on the policies in the current manifests and the current date. Without
 * the manifests, the verdicts are unchanged. Throws `ManifestError` if the manifests have errors.
 */
export async function reevaluateSaved(
  plan: Plan,
  repository: Repository | undefined,
  target: Target,
  io: Io,
): Promise<Plan> {
  const { policies = [] } = plan;
  if (policies.length === 0 || repository === undefined) return plan;
  const manifests = await readManifests(repository, io.interrupted);
  if (manifests.problems.some(isError)) throw new ManifestError(manifests.problems);
  return await evaluatePlan(plan, createReader(target.connection), {
    policies: manifests,
    declaring: { ...manifests, ignored: ignoring(repository.settings.ignore ?? []) },
    at: createdAt(io),
    signal: io.interrupted,
  });
}
