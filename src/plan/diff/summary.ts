/** Counts a plan's changes. */

import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { canonicalJson } from "../../model/json.ts";
import type { ValueCounts, Finding, Summary, Unmanaged } from "../../model/plan.ts";
import { isInConflict } from "../../model/conflicts.ts";
import { pendingIn, heldBackIn } from "../../model/held-back.ts";

/** Counts the changes in a plan. `unchanged` is the number of declared entities in the catalog that have no change. */
export function summarize(
  changes: readonly Change[],
  unchanged: number,
  unmanaged: readonly Unmanaged[],
  findings: readonly Finding[],
): Summary {
  const pending = pendingIn(changes);
  const skipped = heldBackIn(changes);
  const entities = (action: Change["action"]): number =>
    new Set(pending.flatMap((change) => (change.action === action ? [change.urn] : []))).size;
  const values = pending.filter(isFacetChange).map(countValues);
  const total = (what: keyof ValueCounts): number => values.reduce((sum, counts) => sum + counts[what], 0);
  return {
    create: entities("create"),
    update: entities("update"),
    delete: entities("delete"),
    unchanged,
    additions: total("additions"),
    replacements: total("replacements"),
    removals: total("removals"),
    unmanaged: unmanaged.length,
    conflicts: skipped.filter(isInConflict).length,
    heldBack: skipped.length,
    blocked: blockedBy(findings),
  };
}

/** Counts the values that a change adds, replaces and removes. */
export function countValues(change: FacetChange): ValueCounts {
  if (isSetChange(change)) {
    return { additions: change.add.length, replacements: 0, removals: change.remove.length };
  }
  const isSet = change.after !== null;
  const wasSet = change.before !== null;
  return {
    additions: isSet && !wasSet ? 1 : 0,
    replacements: isSet && wasSet ? 1 : 0,
    removals: isSet ? 0 : 1,
  };
}

/** Counts the changes and missing entities that findings block. */
export function blockedBy(findings: readonly Finding[]): number {
  const errors = findings.filter(({ severity }) => severity === "error");
  return new Set(errors.flatMap(({ changes }) => changes.map((change) => canonicalJson(change)))).size;
}
