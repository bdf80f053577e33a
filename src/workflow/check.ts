/** Checks policies and waivers against the current or the planned catalog, and returns verdicts and problems. */

import type { Reader } from "../datahub/client.ts";
import { dayOf, expiryProblems, unusedWaivers } from "../manifests/policies/policy-set.ts";
import { type CheckResult, idleWaivers } from "../plan/policies/check-result.ts";
import { compare } from "../plan/compare.ts";
import type { PlannedChanges, PlanProblems } from "../model/plan.ts";
import { applyGuards } from "../plan/plan.ts";
import type { EntitySource } from "../sync/read/entity-source.ts";
import { evaluateCatalog } from "../sync/policies/evaluate-policies.ts";
import { releaseProblemsOf } from "../sync/policies/releases.ts";
import type { Abortable, ReadOptions } from "../sync/read/read-batches.ts";
import { expandRules, readDeclared, withRules } from "../sync/rules/expand-rules.ts";
import { movedToChangedFiles } from "./scope/changed-places.ts";
import { declaringIn, type Scope } from "./scope/scope.ts";

export interface CheckOptions extends Abortable {
  /** The time of the check, in ISO 8601. */
  readonly at: string;
  /** The server's name in the result. */
  readonly target: string;
  /** The time of the snapshot, if the check uses one. */
  readonly snapshot?: string;
  /** The URL of DataHub's web UI, if it is known. */
  readonly links?: string | undefined;
  /** Whether to evaluate the current catalog, without the changes from the manifests. */
  readonly isLive: boolean;
}

/**
 * Evaluates a repository's policies on every entity that they match. Writes nothing. Throws `CatalogError` if the catalog cannot
 * be read, or the signal's reason if it is aborted.
 */
export async function checkScope(
  scope: Scope,
  source: EntitySource,
  { at, target, snapshot, links, isLive, ...options }: CheckOptions,
): Promise<CheckResult> {
  const { policies, waivers } = scope.desired;
  const day = dayOf(at);
  const planned = isLive ? undefined : await plannedContent(scope, source.reader, options);
  const base = isLive ? undefined : scope.policiesBefore;
  const results = await evaluateCatalog(
    source,
    { changes: planned?.changes ?? [] },
    { policies, waivers, base, day, declaring: declaringIn(scope) },
    options,
  );
  const found = [
    ...(planned?.problems ?? []),
    ...scope.problems,
    ...(await releaseProblemsOf(policies, source.reader, options)),
    ...expiryProblems(waivers, day, scope.repository.settings.waivers?.max_days),
    ...unusedWaivers(idleWaivers(waivers, results, day)),
  ];
  return {
    target,
    at,
    ...(snapshot !== undefined && { snapshot }),
    ...(links !== undefined && { links }),
    policies: results,
    problems: await movedToChangedFiles(found, scope, scope.desired),
  };
}

/** Plans the manifests. Returns only what the check needs, because the rest of a large plan takes much memory. */
async function plannedContent(
  scope: Scope,
  reader: Reader,
  options: ReadOptions,
): Promise<PlannedChanges & PlanProblems> {
  const { git, rules } = scope;
  const declared = await expandRules(reader, scope.desired, scope.policy, { ...options, git, rules });
  const catalog = await readDeclared(reader, declared, options);
  const { desired, policy } = declared;
  const comparison = withRules(compare(desired, catalog, policy), declared, catalog);
  const { changes, problems } = applyGuards(comparison, policy);
  return { changes, problems };
}
