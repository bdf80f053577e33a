/** Determines which entities an apply left exactly as its commit declares them. */

import type { Change } from "../../model/change.ts";
import type { PlanScope } from "../../model/plan-scope.ts";
import type { Report } from "../../model/report.ts";
import type { Urn } from "../../model/urn.ts";

/** An applied commit, and the entities that match it. */
export interface Applied {
  readonly commit: string;
  /** Whether the apply left an entity as the commit declares it. */
  readonly covers: (urn: Urn) => boolean;
}

/**
 * Determines from a report which entities now match the commit: entities whose changes were all applied and, after an apply of
 * the full catalog, entities without changes. Returns `undefined` if the work tree differed from the commit.
 */
export function appliedBy({ plan, outcomes }: Report): Applied | undefined {
  const { git, changes, scope, shard } = plan;
  if (git.commit === null || git.dirty) return undefined;
  const done = new Set<Change>();
  const incomplete = new Set<Urn>();
  for (const { status, operation } of outcomes) {
    for (const change of operation.changes) {
      if (status === "applied") done.add(change);
      else incomplete.add(change.urn);
    }
  }
  for (const change of changes) if (!done.has(change)) incomplete.add(change.urn);
  const changed = new Set(changes.map(({ urn }) => urn));
  const isOfAll = shard === undefined && scope !== undefined && !isPart(scope);
  return { commit: git.commit, covers: (urn) => !incomplete.has(urn) && (isOfAll || changed.has(urn)) };
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
