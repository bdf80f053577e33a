/** Rechecks an operation right before it is sent. Drops stale changes and changes that are already in the catalog. */

import { leafIn } from "../../model/place.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { entityOf } from "../../model/live.ts";
import type { Edit, Operation, Proposal } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import { type Member, memberKey } from "../../model/state.ts";
import { type CatalogNow, type Verdict, verdictOn } from "./verdict.ts";
import { writesFor } from "../../facets/writes.ts";
import { appendTo } from "../../model/append.ts";

/** The remaining operation, and the outcomes that were determined by the recheck. */
export interface Rechecked {
  readonly left?: Operation;
  readonly settled: readonly Outcome[];
  /** The reason why the operation failed, if an entity could not be read. */
  readonly unread?: string;
}

/** Checks each change in an operation against the current catalog. Drops stale changes and changes that are already live. */
export function recheck(operation: Operation, now: CatalogNow): Rechecked {
  const verdicts = operation.changes.map((change) => ({ change, verdict: verdictOn(change, now) }));
  const unread = verdicts.map(({ verdict }) => verdict).find((verdict) => verdict.status === "unread");
  if (unread) {
    const reason = `could not reread ${unread.urn}: ${unread.error}`;
    return { settled: [{ status: "failed", operation, error: `not sent: ${reason}` }], unread: reason };
  }
  const settled = staleOutcomes(operation, verdicts);
  const rest = verdicts.filter(({ verdict }) => verdict.status !== "stale");
  if (rest.length === 0 && settled.length > 0) return { settled };
  const left = narrowed(
    operation,
    rest.map(({ change }) => change),
  );
  const isDone = rest.length > 0 && rest.every(({ verdict }) => verdict.status === "done");
  if (isDone || isThere(left, now)) return { settled: [{ status: "applied", operation: left }, ...settled] };
  return { left, settled };
}

interface CheckedChange {
  readonly change: Change;
  readonly verdict: Verdict;
}

function staleOutcomes(operation: Operation, verdicts: readonly CheckedChange[]): readonly Outcome[] {
  const stale = verdicts.flatMap(({ change, verdict }) =>
    verdict.status === "stale" ? [{ change, verdict }] : [],
  );
  const reasons = groupBy(stale, ({ change, verdict }) =>
    verdict.expected === undefined ? verdict.because : `${change.facet}: ${verdict.because}`,
  );
  return [...reasons.values()].flatMap((group) => {
    const [first] = group;
    const changes = group.map(({ change }) => change);
    return first ? [{ ...first.verdict, operation: narrowed(operation, changes) }] : [];
  });
}

/** Whether the live set already contains every element that an operation adds, and no element that it removes. */
function isThere({ adds, removes, changes }: Operation, { live }: CatalogNow): boolean {
  if (!adds && !removes) return false;
  const [part] = changes.filter(isFacetChange).map((change) => leafIn(entityOf(change, live), change));
  if (part?.shape !== "set") return false;
  const members = new Set(part.members.map(memberKey));
  const isIn = (member: Member): boolean => members.has(memberKey(member));
  return (adds ?? []).every(isIn) && !(removes ?? []).some(isIn);
}

/** Restricts an operation to some of its changes. A write to an aspect then keeps only the fields for these changes. */
export function narrowed(operation: Operation, changes: readonly Change[]): Operation {
  const { request } = operation;
  if (changes.length === operation.changes.length || request.type !== "proposal") return operation;
  const set: Record<string, Proposal["set"][string]> = {};
  const edits: Edit[] = [];
  // A proposal writes an aspect, so the changes are converted to aspect writes.
  const writes = changes.filter(isFacetChange).flatMap((change) => writesFor(change, "conditional"));
  const { beside, ...single } = request;
  const keepsSecond = writes.some(
    ({ request: own }) => own.type === "proposal" && own.aspect === beside?.aspect,
  );
  for (const { request: own } of writes) {
    if (own.type !== "proposal" || own.aspect !== request.aspect) continue;
    Object.assign(set, own.set);
    appendTo(edits, own.edits ?? []);
  }
  const left = { ...single, set, ...(request.edits && { edits }), ...(keepsSecond && beside && { beside }) };
  return { ...operation, request: left, changes };
}
