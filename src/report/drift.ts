import {
  type Change,
  type DriftClass,
  driftClasses,
  type FacetChange,
  isSetChange,
} from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import { count } from "./count.ts";

/** What stands above the changes of a class. */
export const driftHeads: Readonly<Record<DriftClass, string>> = {
  changed: "Changed: the catalog differs from what is declared",
  missing: "Missing: declared, but not in the catalog",
  pending: "Pending: changed in the manifests since the last apply",
};

/** The changes of each class that has some, the most severe class first. */
export function changesByClass(
  changes: readonly Change[],
): readonly { readonly of: DriftClass; readonly changes: readonly Change[] }[] {
  return driftClasses
    .map((each) => ({ of: each, changes: changes.filter((change) => change.class === each) }))
    .filter((group) => group.changes.length > 0);
}

/** How many changes each class has. */
export function countDrift(changes: readonly Change[]): Readonly<Record<DriftClass, number>> {
  const counts = { changed: 0, missing: 0, pending: 0 };
  for (const { class: of } of changes) if (of) counts[of] += 1;
  return counts;
}

/**
 * The fixed last line of a drift report. It says that there is no drift only if everything could be compared. What is
 * pending is no drift.
 */
export function driftLine({ changes, summary, problems = [] }: Plan): string {
  const { changed, missing, pending } = countDrift(changes);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  if (changes.length + errors === 0)
    return `No drift. ${count(summary.unchanged, "entity", "entities")} in sync.`;
  const isDrift = changed + missing > 0;
  const found = isDrift ? "Drift" : errors > 0 ? "Incomplete" : "No drift";
  const counts = `${changed} changed, ${missing} missing, ${pending} pending; ${summary.unmanaged} unmanaged`;
  return `${found}: ${counts}${errors > 0 ? `; ${count(errors, "problem")}` : ""}.`;
}

/**
 * A change as drift shows it, seen from the manifests: what only the catalog has is added, what is only declared is gone. What
 * is known of the live values stays in `removed`.
 */
export function asDrift(change: FacetChange): FacetChange {
  return isSetChange(change)
    ? { ...change, add: change.remove, remove: change.add }
    : { ...change, before: change.after, after: change.before };
}

/** How drift is to be read, in one line, with what else there is to say. Empty if there is no drift. */
export function readingLine({ changes }: Pick<Plan, "changes">, more = ""): string {
  if (changes.length === 0) return "";
  return `\`+\` is in the catalog and not declared, \`-\` is declared and not in the catalog${more}.\n`;
}

/** One line where changes could not be told from what is pending. Empty if there are none. */
export function withoutBaseLine({ changes, git }: Plan): string {
  if (git.base !== null || changes.length === 0) return "";
  return "Without a base (the last applied commit) it is unknown what was applied, so nothing counts as pending.\n";
}
