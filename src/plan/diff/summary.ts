import { type Change, isSetChange } from "../../model/change.ts";
import { canonicalJson } from "../../model/json.ts";
import type { Finding, Summary, Unmanaged } from "../../model/plan.ts";
import { isInConflict } from "./conflicts.ts";

/** The counts of a plan; `present` is how many declared entities there are in the catalog once it is applied. */
export function summarise(
  changes: readonly Change[],
  present: number,
  unmanaged: readonly Unmanaged[],
  findings: readonly Finding[],
): Summary {
  const entities = (action: Change["action"]): number =>
    new Set(changes.flatMap((change) => (change.action === action ? [change.urn] : []))).size;
  const [created, updated, deleted] = [entities("create"), entities("update"), entities("delete")];
  const sets = changes.filter(isSetChange);
  return {
    create: created,
    update: updated,
    delete: deleted,
    unchanged: present - created - updated,
    additions: sets.reduce((sum, change) => sum + change.add.length, 0),
    removals: sets.reduce((sum, change) => sum + change.remove.length, 0),
    unmanaged: unmanaged.length,
    conflicts: changes.filter(isInConflict).length,
    blocked: blockedBy(findings),
  };
}

function blockedBy(findings: readonly Finding[]): number {
  const errors = findings.filter(({ severity }) => severity === "error");
  return new Set(errors.flatMap(({ changes }) => changes.map((change) => canonicalJson(change)))).size;
}
