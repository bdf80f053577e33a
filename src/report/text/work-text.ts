import { type Change, isFacetChange, isSetChange, type SetChange } from "../../model/change.ts";
import { nameOfRequest, type Operation, type Request } from "../../model/operation.ts";
import type { Names } from "../../model/plan.ts";
import { placeIn, shown } from "./change-text.ts";

/** How the work of an operation is told. */
interface WorkView {
  readonly names?: Names | undefined;
  /** Whether it leaves out the values. */
  readonly isBare?: boolean;
}

/**
 * What an operation was to do: "set domain", "remove PII (urn:li:tag:pii) from tags". A value of a list is named where the plan
 * adds or removes only one there: a saved report does not say which of several an operation is about.
 */
export function workText({ request, changes }: Operation, view: WorkView = {}): string {
  return changes.flatMap((change) => tasksOf(request, change, view)).join(", ");
}

/** `workText` with what it is done to: "set domain of …", "delete …". */
export function workOn(operation: Operation, what: string, view?: WorkView): string {
  const isOfFacet = operation.changes.some(isFacetChange);
  return `${workText(operation, view)}${isOfFacet ? " of" : ""} ${what}`;
}

function tasksOf(request: Request, change: Change, view: WorkView): readonly string[] {
  if (!isFacetChange(change)) return [change.action];
  if (!isSetChange(change)) return [`${change.after === null ? "unset" : "set"} ${placeIn(change)}`];
  return sidesOf(request, change).map((side) => {
    const [value, ...others] = change[side];
    const isNamed = view.isBare !== true && value !== undefined && others.length === 0;
    const named = isNamed ? ` ${shown(change.facet, value, view.names)}` : "";
    return `${side}${named} ${side === "add" ? "to" : "from"} ${placeIn(change)}`;
  });
}

/** What a request does of a change that adds and removes: a mutation only one of both, and its name says which. */
function sidesOf(request: Request, { add, remove }: SetChange): readonly ("add" | "remove")[] {
  if (remove.length === 0) return ["add"];
  if (add.length === 0) return ["remove"];
  if (request.type === "proposal") return ["add", "remove"];
  return [/remove/i.test(nameOfRequest(request)) ? "remove" : "add"];
}
