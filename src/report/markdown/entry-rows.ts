import type { Change } from "../../model/change.ts";
import type { Names } from "../../model/plan.ts";
import { entriesOf, sharersText, standingFor } from "../fold.ts";
import { lineText } from "./escape.ts";
import { underHead } from "./lines.ts";
import type { Row } from "./section.ts";

/** How changes are shown as rows: `all` as in `PlanView`. */
export interface RowsView {
  readonly names?: Names | undefined;
  readonly all?: boolean | undefined;
  /** Whether each line counts, and not each change. */
  readonly countsValues?: boolean;
}

/** The lines of one change, and the heading of some of one entity. */
interface RowTexts {
  readonly linesOf: (change: Change) => readonly string[];
  readonly headOf: (group: readonly Change[]) => string;
}

/** Changes as rows, by entity, and what many share once for all of them. A change counts at the last line of one row. */
export function entryRows(
  changes: readonly Change[],
  { names, all, countsValues = false }: RowsView,
  { linesOf, headOf }: RowTexts,
): readonly Row[] {
  const counted = new Set<string>();
  const fresh = (change: Change): boolean => {
    const place = `${change.urn} ${change.facet} ${change.column}`;
    return countsValues || (!counted.has(place) && counted.add(place).has(place));
  };
  return entriesOf(changes, all).flatMap((entry) => {
    if ("changes" in entry) {
      const rows = entry.changes.flatMap((change) => rowsOf(linesOf(change), [change], fresh));
      return underHead(headOf(entry.changes), rows);
    }
    const rows = entry.shared.flatMap((value) => {
      const { change, columns, source } = standingFor(value);
      const notes = [columns, source].filter((note) => note !== "").map((note) => `  ${lineText(note)}`);
      return rowsOf(
        linesOf(change).map((line) => line + notes.join("")),
        value,
        fresh,
      );
    });
    return underHead(`@@ ${lineText(sharersText(entry.shared, names))} @@`, rows);
  });
}

function rowsOf(
  lines: readonly string[],
  changes: readonly Change[],
  isFresh: (change: Change) => boolean,
): readonly Row[] {
  return lines.map((text, index) => {
    const isLast = index === lines.length - 1;
    return { text, of: isLast ? changes.filter(isFresh).length : 0 };
  });
}
