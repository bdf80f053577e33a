import { printable } from "../printable.ts";
import {
  type CoveragePrinter,
  coverageRow,
  coverageTable,
  listCells,
  listHeader,
  type ListPrinter,
  type ListView,
} from "./document.ts";

/** A list as CSV by RFC 4180: a header, and a record for each entity. */
export function printListCsv(view: ListView): ListPrinter {
  return {
    head: () => record(listHeader(view)),
    entity: (entity) => record(listCells(entity, view)),
    end: () => "",
  };
}

/** Counts as CSV: a header, a record for each group, and one for all assets, whose key is `total`. */
export const printCoverageCsv: CoveragePrinter = (coverage) =>
  [...coverageTable(coverage), coverageRow("total", coverage.total)].map(record).join("");

function record(cells: readonly string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

// What a spreadsheet would take for a formula (owasp.org/www-community/attacks/CSV_Injection).
const formula = /^[=+\-@\t\r]/;

function cell(text: string): string {
  const harmless = (formula.test(text) ? "'" : "") + printable(text);
  return /[",]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
