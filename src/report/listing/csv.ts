/** Prints lists and coverage counts as CSV. */

import type { CoverageCounts } from "../../model/listing.ts";
import { printable, printableLine } from "../printable.ts";
import {
  countColumns,
  type CoveragePrinter,
  listCells,
  listHeader,
  type ListPrinter,
  type ListView,
} from "./document.ts";

/** Prints a list as CSV (RFC 4180): a header, and a record of quoted cells for each entity. */
export function printListCsv(view: ListView): ListPrinter {
  return {
    head: () => record(listHeader(view)),
    entity: (entity) => record(listCells(entity, view).map(textCell)),
    end: () => "",
  };
}

/** Prints counts as CSV: a header, a record for each group, and a record with the key `total`. Differences follow the counts. */
export const printCoverageCsv: CoveragePrinter = ({ groups, total, difference }) => {
  const names = Object.keys(countColumns(total));
  return [
    record(["key", ...names, ...(difference ? names.map((name) => `${name}_difference`) : [])]),
    ...groups.map((group, index) => countsRecord(group.key, group, difference?.groups[index])),
    countsRecord("total", total, difference?.total),
  ].join("");
};

// Returns the record for a group's counts. Negative numbers are not escaped, because they are not formulas.
function countsRecord(key: string, counts: CoverageCounts, difference?: CoverageCounts): string {
  const numbers = [counts, ...(difference ? [difference] : [])].flatMap((each) =>
    Object.values(countColumns(each)),
  );
  return record([textCell(key), ...numbers]);
}

function record(cells: readonly (string | number)[]): string {
  return `${cells.join(",")}\r\n`;
}

/**
 * Matches the positions at which a formula can start (owasp.org/www-community/attacks/CSV_Injection): the start of a cell, and
 * the position after a semicolon, which separates cells in many locales.
 */
const formula = /(?<=^|; *)(?=[=+\-@\t\r＝＋－＠])/g;

/** Quotes a cell's text and escapes formulas. Keeps tabs and line breaks, and replaces other control characters. */
function textCell(text: string): string {
  return `"${printableCell(text).replaceAll(formula, "'").replaceAll('"', '""')}"`;
}

function printableCell(text: string): string {
  const [first = "", ...more] = text.split(/([\t\r\n]+)/);
  // The captured separators have odd indexes in the result of `split`, and even indexes in `more`.
  const parts = more.map((part, index) => (index % 2 === 0 ? part : printableLine(part)));
  return printable(first) + parts.join("");
}
