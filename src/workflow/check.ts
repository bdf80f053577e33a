/**
 * Checks policies against the catalog, as it is or as the manifests would make it, and finds the declarations that policies refer
 * to.
 */

import { dayOf, expiryProblems, unusedWaivers } from "../manifests/policies/policy-set.ts";
import { sortProblems } from "../model/problem.ts";
import { type CheckResult, idleWaivers } from "../plan/policies/check-result.ts";
import { compare } from "../plan/compare.ts";
import { applyGuards } from "../plan/plan.ts";
import type { Declaring } from "../plan/rules/declared-by.ts";
import type { EntitySource } from "../sync/read/entity-source.ts";
import { evaluateCatalog, type PolicyInput } from "../sync/policies/evaluate-policies.ts";
import { releaseProblemsOf } from "../sync/policies/releases.ts";
import type { Abortable, ReadOptions } from "../sync/read/read-batches.ts";
import { expandRules, readDeclared, withRules } from "../sync/rules/expand-rules.ts";
import { movedToChangedFiles } from "./scope/changed-places.ts";
import type { Scope } from "./scope/scope.ts";

export interface CheckOptions extends Abortable {
  /** The time of the check, in ISO 8601. */
  readonly at: string;
  /** The server's name in the result. */
  readonly target: string;
  /** The snapshot's time, if the check is against a snapshot. */
  readonly snapshot?: string;
  /** The address of DataHub's web interface, if it is known. */
  readonly links?: string | undefined;
  /** Whether to judge the catalog as it is, without the changes that the manifests make. */
  readonly isLive: boolean;
}

/**
 * Evaluates a repository's policies on every entity that they match. Writes nothing. Throws `CatalogError` if the catalog cannot be
 * read, and the signal's reason if it aborts.
 */
export async function checkScope(
  scope: Scope,
  source: EntitySource,
  { at, target, snapshot, links, isLive, ...options }: CheckOptions,
): Promise<CheckResult> {
  const { policies, waivers } = scope.desired;
  const day = dayOf(at);
  const { toJudge, problems } = isLive
    ? { toJudge: { changes: [] }, problems: [] }
    : await asPlanned(scope, source, options);
  const base = isLive ? undefined : scope.policiesBefore;
  const results = await evaluateCatalog(
    source,
    toJudge,
    { policies, waivers, base, day, declaring: declaringIn(scope) },
    options,
  );
  const found = [
    ...problems,
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
    problems: sortProblems(await movedToChangedFiles(found, scope, scope.desired)),
  };
}

/** Returns the declarations in a scope that decide which values count as declared for a policy. */
export function declaringIn({ desired, policy: { ignored } }: Scope): Declaring {
  return { ...desired, ignored };
}

async function asPlanned(
  scope: Scope,
  { reader }: EntitySource,
  options: ReadOptions,
): Promise<{ readonly toJudge: PolicyInput; readonly problems: ReturnType<typeof applyGuards>["problems"] }> {
  const { git, rules } = scope;
  const declared = await expandRules(reader, scope.desired, scope.policy, {
    ...options,
    header: { git },
    rules,
  });
  const catalog = await readDeclared(reader, declared, options);
  const { desired, policy } = declared;
  const comparison = withRules(compare(desired, catalog, policy), declared, catalog);
  const { changes } = comparison;
  const { problems } = applyGuards(comparison, policy);
  return { toJudge: { changes }, problems };
}
