import { writesFor } from "../../facets/writes.ts";
import { appendTo } from "../../model/append.ts";
import { type Change, type FacetChange, isFacetChange } from "../../model/change.ts";
import type { ListEdit, Operation, Proposal, Write } from "../../model/operation.ts";

/** An operation for some of its changes: of an aspect only their fields. */
export function narrowed(operation: Operation, changes: readonly Change[]): Operation {
  const { request } = operation;
  if (changes.length === operation.changes.length || request.type !== "proposal") return operation;
  const set: Record<string, Proposal["set"][string]> = {};
  const edits: ListEdit[] = [];
  for (const { request: own } of changes.filter(isFacetChange).flatMap(editsOfAspects)) {
    if (own.type !== "proposal" || own.aspect !== request.aspect) continue;
    Object.assign(set, own.set);
    appendTo(edits, own.edits ?? []);
  }
  return { ...operation, request: { ...request, set, ...(request.edits && { edits }) }, changes };
}

// What writes an aspect was planned to write aspects.
function editsOfAspects(change: FacetChange): readonly Write[] {
  return writesFor(change, "conditional");
}
