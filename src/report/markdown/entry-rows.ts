import { pathKey } from "../../model/place.ts";
import type { Change } from "../../model/change.ts";
import type { Names } from "../../model/plan.ts";
import { groupBy } from "../../model/group-by.ts";
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

/** The lines of one change, and the heading of some of one entity that have the same cause, from the first of them. */
interface RowTexts {
  readonly linesOf: (change: Change) => readonly string[];
  readonly headOf: (first: Change | undefined) => string;
}

/** Changes as rows, by entity, and what many share once for all of them. A change counts at the last line of one row. */
export function entryRows(
  changes: readonly Change[],
  { names, all, countsValues = false }: RowsView,
  { linesOf, headOf }: RowTexts,
): readonly Row[] {
  const counted = new Set<string>();
  const fresh = (change: Change): boolean => {
    const place = `${change.urn} ${change.facet} ${pathKey(change.path)}`;
    return countsValues || (!counted.has(place) && counted.add(place).has(place));
  };
  return entriesOf(changes, all).flatMap((entry) => {
    if ("changes" in entry) {
      return byCause(entry.changes).flatMap((group) => {
        const rows = group.flatMap((change) => rowsOf(linesOf(change), [change], fresh));
        return underHead(headOf(group.find(({ source }) => source) ?? group[0]), rows);
      });
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

/** Changes of an entity by what one heading can name: a file, and rules. What has no place stands with the first that has one. */
function byCause(changes: readonly Change[]): readonly (readonly Change[])[] {
  const first = changes.find(({ source }) => source);
  return [...groupBy(changes, (change) => causeKey(change.source || !first ? change : first)).values()];
}

function causeKey({ source, rules }: Change): string {
  return JSON.stringify([source?.file, source?.base, rules]);
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
