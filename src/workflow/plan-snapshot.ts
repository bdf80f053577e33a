/** Plans a repository's manifests against a snapshot, without a server, and restores redacted values that are declared. */

import { foundAssets } from "../sync/read/assets.ts";
import { CatalogError } from "../model/catalog-error.ts";
import type { Plan } from "../model/plan.ts";
import { hasTrait, type PlanProblem, type Problem } from "../model/problem.ts";
import type { Rule } from "../model/rule.ts";
import type { Urn } from "../model/urn.ts";
import { ManifestError } from "./scope/errors.ts";
import { allRules } from "../plan/rules/expand-all.ts";
import type { Scope } from "./scope/scope.ts";
import { revealed } from "../sync/snapshot/redact.ts";
import { statusIn } from "../sync/read/list-definitions.ts";
import { entryOf, type Snapshot } from "../sync/snapshot/snapshot.ts";
import { snapshotReader } from "../sync/snapshot/snapshot-reader.ts";
import { ownersNamed, planWithReader, type PlanScopeOptions } from "./plan-scope.ts";
import { missingEntry } from "../sync/read/missing-entry.ts";
import { refuseOtherServer } from "./scope/pinned-server.ts";

/**
 * Creates the plan that would have resulted from the server's state at the time of the snapshot. Reports entities that are
 * missing from the snapshot as problems. Omits suggestions that require a server. Throws `ScopeError` if the settings pin a
 * different server, `ManifestError` if the snapshot contains none of the declared entities, or the signal's reason if it is
 * aborted.
 */
export async function planSnapshot(
  scope: Scope,
  snapshot: Snapshot,
  options: Omit<PlanScopeOptions, "target">,
): Promise<Plan> {
  const { target } = snapshot;
  const known = revealedFor(scope, snapshot, ownersNamed(scope.repository));
  const made = await planWithReader(scope, snapshotReader(known), { ...options, target }).catch(
    async (error: unknown) => {
      const problems = error instanceof CatalogError ? await notInSnapshotProblems(scope, known) : [];
      throw problems.length > 0 ? new ManifestError(problems) : error;
    },
  );
  return made.problems ? { ...made, problems: made.problems.map(explained) } : made;
}

/**
 * Restores the redacted values of a snapshot that are in current or earlier declarations, or among the given texts. Throws
 * `ScopeError` if the settings pin a different server.
 */
export function revealedFor(
  { desired, policy, repository }: Scope,
  snapshot: Snapshot,
  texts: readonly string[] = [],
): Snapshot {
  refuseOtherServer(snapshot.target, repository.settings.server);
  const { base = new Map(), applied = base } = policy;
  return revealed(snapshot, [desired.state, base, applied, ...desired.rules, ...texts]);
}

async function notInSnapshotProblems(
  { desired, rules: sources }: Scope,
  snapshot: Snapshot,
): Promise<readonly Problem[]> {
  const statusOf = statusIn(snapshot);
  const isInSnapshot = (urn: Urn): boolean =>
    entryOf(snapshot, urn) !== undefined || statusOf(urn) === "absent";
  const missing = [...desired.state.keys()].filter((urn) => !isInSnapshot(urn));
  const rules: Rule[] = [];
  for (const rule of sources ? allRules(sources) : [])
    if (!(await hasFoundAssets(snapshot, rule))) rules.push(rule);
  return [
    ...missing.map((urn): Problem => {
      const origin = desired.state.get(urn)?.origin;
      return { code: "not-in-snapshot", severity: "error", args: { urn }, ...(origin && { origin }) };
    }),
    ...rules.map(({ id, origin }): Problem => ({
      code: "rule-not-in-snapshot",
      severity: "error",
      args: { rule: id },
      origin,
    })),
  ];
}

async function hasFoundAssets(snapshot: Snapshot, rule: Rule): Promise<boolean> {
  try {
    for await (const _ of foundAssets(snapshotReader(snapshot), [rule], {}));
    return true;
  } catch (error) {
    if (error instanceof CatalogError) return false;
    throw error;
  }
}

/** Replaces the problem for an unreadable entity, because a retry does not help. A different snapshot is needed. */
function explained(problem: PlanProblem): PlanProblem {
  if (!hasTrait(problem, "unread") || problem.args.error !== missingEntry) return problem;
  const { args, ...rest } = problem;
  return { ...rest, code: "not-in-snapshot", args: { urn: args.urn } } satisfies Problem;
}
