import { writesFor } from "../../facets/index.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import type { Operation, Proposal } from "../../model/operation.ts";

/** An operation for some of its changes: of an aspect only their fields. */
export function narrowed(operation: Operation, changes: readonly Change[]): Operation {
  const { request } = operation;
  if (changes.length === operation.changes.length || request.type !== "proposal") return operation;
  const set: Record<string, Proposal["set"][string]> = {};
  for (const { request: own } of changes.filter(isFacetChange).flatMap(writesFor)) {
    if (own.type === "proposal" && own.aspect === request.aspect) Object.assign(set, own.set);
  }
  return { ...operation, request: { ...request, set }, changes };
}
