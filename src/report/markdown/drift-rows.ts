import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import type { Names } from "../../model/plan.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { asDrift } from "../drift.ts";
import { keyOf, removedBy, shown } from "../text/change-text.ts";
import { deletionPlace } from "../text/plan-text.ts";
import { lineText, lineTexts } from "./escape.ts";
import { headOf, nameOf, noteFor, plain } from "./lines.ts";
import { entryRows, type RowsView } from "./entry-rows.ts";
import type { Row } from "./section.ts";

/** Drift by entity: what only the catalog has is added, what is only declared is gone. A change counts at its last line. */
export function driftRows(changes: readonly Change[], view: RowsView): readonly Row[] {
  return rowsOf(changes, view, true);
}

/** Changes by entity, with all that they add and take away. A change counts at its last line. */
export function plannedRows(changes: readonly Change[], view: RowsView): readonly Row[] {
  return rowsOf(changes, view, false);
}

function rowsOf(changes: readonly Change[], view: RowsView, isDrift: boolean): readonly Row[] {
  const { names } = view;
  return entryRows(changes, view, {
    linesOf: (change) =>
      isFacetChange(change) ? linesOf(change, isDrift, names) : [entityLine(change, isDrift)],
    headOf: (first) => headOf(placedHere(first), names),
  });
}

// What is deleted has its place in the base, and its row says so.
function placedHere(change: Change | undefined): Pick<Change, "kind" | "urn" | "source"> | undefined {
  return change?.action === "delete" ? { kind: change.kind, urn: change.urn } : change;
}

function entityLine(change: Change, isDrift: boolean): string {
  const { gone, come } = entityTexts[isDrift ? "drift" : "plan"];
  return lineText(change.action === "delete" ? gone + deletionPlace(change, plain) : come);
}

/** What is said of an entity that is to be deleted, and of one that is to be created. */
const entityTexts = {
  plan: { gone: "- to delete", come: "+ to create" },
  drift: { gone: "+ not declared any more", come: "- not in the catalog" },
};

function linesOf(change: FacetChange, isDrift: boolean, names?: Names): readonly string[] {
  const seen = isDrift ? asDrift(change) : change;
  const live = removedBy(change);
  const line = (mark: "+" | "-", value: Member | Scalar, text: string): string => {
    const isLive = (mark === "+") === isDrift;
    const note = isLive ? noteFor(change, live.get(keyOf(value)), names) : "";
    return `${mark} ${nameOf(change)}: ${text}${note}`;
  };
  const textOf = (value: Member | Scalar): string => shown(change.facet, value, names);
  if (isSetChange(seen)) {
    return [
      ...seen.remove.map((value) => line("-", value, lineText(textOf(value)))),
      ...seen.add.map((value) => line("+", value, lineText(textOf(value)))),
    ];
  }
  const { before, after } = seen;
  if (before === null) return [line("+", after, lineText(textOf(after)))];
  if (after === null) return [line("-", before, lineText(textOf(before)))];
  const [first, last] = lineTexts(textOf(before), textOf(after));
  return [line("-", before, first), line("+", after, last)];
}
