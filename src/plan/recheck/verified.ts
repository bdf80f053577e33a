/** Compares an applied operation with the catalog after rereading the catalog. */

import { leafIn } from "../../model/place.ts";
import { type Change, isFacetChange, type SetChange } from "../../model/change.ts";
import { entityOf, type Live } from "../../model/live.ts";
import type { Operation } from "../../model/operation.ts";
import type { Difference, Outcome } from "../../model/report.ts";
import { isSameValue, type Member, memberKey } from "../../model/state.ts";
import { narrowed } from "./recheck.ts";

/** The error for a confirmed write whose result is missing. */
const notSeen =
  "not confirmed: the catalog does not show the written values; they were overwritten, or reads lag behind writes";

/**
 * Returns an operation's outcomes after the catalog was reread. Changes whose result is missing are marked as failed. Changes that
 * could not be reread remain applied.
 */
export function verifiedOutcomes(outcome: Outcome, live: Live): readonly Outcome[] {
  if (outcome.status !== "applied") return [outcome];
  const { operation } = outcome;
  const failed = operation.changes.flatMap((change) => {
    const difference = live.unreadable.has(change.urn) ? undefined : differenceIn(operation, change, live);
    return difference ? [{ change, difference }] : [];
  });
  const missing = new Set(failed.map(({ change }) => change));
  const rest = operation.changes.filter((change) => !missing.has(change));
  return [
    ...(rest.length > 0 ? [{ ...outcome, operation: narrowed(operation, rest) }] : []),
    ...failed.map(({ change, difference }): Outcome => {
      const error = notSeen;
      return { status: "failed", operation: narrowed(operation, [change]), error, ...difference };
    }),
  ];
}

function differenceIn(operation: Operation, change: Change, live: Live): Difference | undefined {
  if (!isFacetChange(change)) {
    const isThere = live.state.has(change.urn);
    if (isThere === (change.action === "create")) return undefined;
    return isThere ? { expected: "absent", found: "present" } : { expected: "present", found: "absent" };
  }
  const part = leafIn(entityOf(change, live), change);
  if (change.shape === "scalar") {
    const found = part?.shape === "scalar" ? part.value : null;
    return isSameValue(found, change.after) ? undefined : { expected: change.after, found };
  }
  const members = new Set((part?.shape === "set" ? part.members : []).map(memberKey));
  const isIn = (member: Member): boolean => members.has(memberKey(member));
  const { adds, removes } = elementsOf(operation, change);
  if (adds.every(isIn) && !removes.some(isIn)) return undefined;
  return { expected: adds, found: [...adds, ...removes].filter(isIn) };
}

/**
 * Returns the elements that an operation adds and removes. A proposal that edits a set adds and removes all elements of the
 * change.
 */
function elementsOf(
  { request, adds, removes }: Operation,
  { add, remove }: SetChange,
): { readonly adds: readonly Member[]; readonly removes: readonly Member[] } {
  const isEdit = request.type === "proposal" && request.edits !== undefined;
  if (adds || removes || !isEdit) return { adds: adds ?? [], removes: removes ?? [] };
  return { adds: add, removes: remove };
}
