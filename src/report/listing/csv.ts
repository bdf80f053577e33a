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

/** A list as CSV by RFC 4180: a header, and a record for each entity, whose cells are in quotes. */
export function printListCsv(view: ListView): ListPrinter {
  return {
    head: () => record(listHeader(view)),
    entity: (entity) => record(listCells(entity, view).map(textCell)),
    end: () => "",
  };
}

/**
 * Counts as CSV: a header, a record for each group, and one for all assets, whose key is `total`. Differences follow the
 * counts.
 */
export const printCoverageCsv: CoveragePrinter = ({ groups, total, difference }) => {
  const names = Object.keys(countColumns(total));
  return [
    record(["key", ...names, ...(difference ? names.map((name) => `${name}_difference`) : [])]),
    ...groups.map((group, index) => countsRecord(group.key, group, difference?.groups[index])),
    countsRecord("total", total, difference?.total),
  ].join("");
};

// A number below zero is no formula.
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
 * Where a spreadsheet would see a formula (owasp.org/www-community/attacks/CSV_Injection): at the start of a cell, and after a
 * semicolon, which separates cells in many countries.
 */
const formula = /(?<=^|; *)(?=[=+\-@\t\r＝＋－＠])/g;

/** A text in quotes, in which no formula begins. Tabs and line ends stay; other signs that steer a terminal do not. */
function textCell(text: string): string {
  return `"${kept(text).replaceAll(formula, "'").replaceAll('"', '""')}"`;
}

function kept(text: string): string {
  const [first = "", ...more] = text.split(/([\t\r\n]+)/);
  // What is captured, between two parts, is of odd index in the text, so of even index here.
  const parts = more.map((part, index) => (index % 2 === 0 ? part : printableLine(part)));
  return printable(first) + parts.join("");
}
