import type { Place } from "../../model/place.ts";
import { type Change, type FacetChange, type Removed } from "../../model/change.ts";
import type { Names } from "../../model/plan.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { isInConflict } from "../../plan/diff/conflicts.ts";
import { noteOf, shown, sourceText } from "../text/change-text.ts";
import { called } from "../called.ts";
import type { Row } from "./section.ts";
import { lineText } from "./escape.ts";
import { paintWith } from "../paint.ts";

/** Markdown has no colors of its own. */
export const plain = paintWith(false);

type Placed = Pick<Change, "source" | "rules">;

/** The heading of the rows of an entity, with its place if it is known. */
export function headOf(of: (Pick<Change, "kind" | "urn"> & Placed) | undefined, names?: Names): string {
  return of ? `@@ ${of.kind} ${urnText(of.urn, names)} @@${placeText(of)}` : "";
}

/** The place of a change, to follow its heading. Empty if it is unknown. */
export function placeText(change: Placed): string {
  return change.source ? ` ${lineText(sourceText(change.source, change))}` : "";
}

/** A URN as a line, after its name if one is known. */
export function urnText(urn: string, names?: Names): string {
  return lineText(called(urn, names));
}

/** Rows below a heading. The heading belongs to the first row, so that it never appears alone. */
export function underHead(head: string, rows: readonly Row[]): readonly Row[] {
  return rows.map((row, index) => (index === 0 ? { ...row, text: `${head}\n${row.text}` } : row));
}

/** A facet, with the keys below it. */
export function nameOf({ facet, path = [] }: Place): string {
  return lineText([facet, ...path].join(" "));
}

/** The line of an added value. */
export function addedLine(change: FacetChange, value: Member | Scalar, names?: Names): string {
  return `+ ${nameOf(change)}: ${lineText(shown(change.facet, value, names))}`;
}

/** The line of a removed value, with what is known about it. */
export function removedLine(
  change: FacetChange,
  value: Member | Scalar,
  removed?: Removed,
  names?: Names,
): string {
  return `- ${nameOf(change)}: ${lineText(shown(change.facet, value, names))}${noteFor(change, removed, names)}`;
}

/** What is known about a removed value. Empty if nothing is. */
export function noteFor(change: FacetChange, removed: Removed | undefined, names?: Names): string {
  return (
    (removed ? lineText(noteOf(removed, plain, names)) : "") + (isInConflict(change) ? "  (conflict)" : "")
  );
}
