import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import type { Names } from "../../model/plan.ts";
import { keyOf, removedBy } from "../text/change-text.ts";
import { scalarLines } from "./change-rows.ts";
import { deletionPlace } from "../text/plan-text.ts";
import { lineText } from "./escape.ts";
import { addedLine, firstWithRules, headOf, plain, removedLine } from "./lines.ts";
import { entryRows, type RowsView } from "./entry-rows.ts";
import type { Row } from "./section.ts";

/** Changes by entity, with all that they add and take away. A change counts at its last line. */
export function driftRows(changes: readonly Change[], view: RowsView): readonly Row[] {
  const { names } = view;
  return entryRows(changes, view, {
    linesOf: (change) => driftLines(change, names),
    headOf: (group) => headOf(placedHere(firstWithRules(group)), names),
  });
}

// What is deleted has its place in the base, and its row says so.
function placedHere(change: Change | undefined): Pick<Change, "kind" | "urn" | "source"> | undefined {
  return change?.action === "delete" ? { kind: change.kind, urn: change.urn } : change;
}

function driftLines(change: Change, names?: Names): readonly string[] {
  if (isFacetChange(change)) return linesOf(change, names);
  return [
    lineText(change.action === "delete" ? `- to delete${deletionPlace(change, plain)}` : "+ to create"),
  ];
}

function linesOf(change: FacetChange, names?: Names): readonly string[] {
  const removed = removedBy(change);
  const without = (value: Parameters<typeof keyOf>[0]): string =>
    removedLine(change, value, removed.get(keyOf(value)), names);
  if (isSetChange(change))
    return [...change.remove.map(without), ...change.add.map((value) => addedLine(change, value, names))];
  return change.after === null ? [without(change.before)] : scalarLines(change, names);
}
