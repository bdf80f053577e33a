import type { Change } from "../model/change.ts";
import type { PlanScope } from "../model/plan.ts";
import type { Report } from "../model/report.ts";
import type { Urn } from "../model/urn.ts";

/** An apply by which entities became what a commit declares. */
export interface Applied {
  readonly commit: string;
  /** Whether it left an entity as the commit declares it. */
  readonly covers: (urn: Urn) => boolean;
}

/**
 * What an apply left as its commit declares it: the entities of which all changes were applied, and if it was of everything, those
 * without a change. `undefined` where no commit has what was applied.
 */
export function appliedBy({ plan, outcomes }: Report): Applied | undefined {
  const { git, changes, scope, shard } = plan;
  if (git.commit === null || git.dirty) return undefined;
  const done = new Set<Change>();
  const undone = new Set<Urn>();
  for (const { status, operation } of outcomes) {
    for (const change of operation.changes) {
      if (status === "applied") done.add(change);
      else undone.add(change.urn);
    }
  }
  for (const change of changes) if (!done.has(change)) undone.add(change.urn);
  const changed = new Set(changes.map(({ urn }) => urn));
  const isOfAll = shard === undefined && scope !== undefined && !isPart(scope);
  return { commit: git.commit, covers: (urn) => !undone.has(urn) && (isOfAll || changed.has(urn)) };
}

function isPart({
  directory: _,
  environment: _environment,
  ref: _ref,
  left: _left,
  ...narrowing
}: PlanScope): boolean {
  return Object.keys(narrowing).length > 0;
}
