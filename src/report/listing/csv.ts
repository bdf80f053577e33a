import type { CoverageCounts } from "../../model/listing.ts";
import { printable } from "../printable.ts";
import {
  countColumns,
  type CoveragePrinter,
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
  return `${[cell(key), ...numbers].join(",")}\r\n`;
}

function record(cells: readonly string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

// What a spreadsheet would take for a formula (owasp.org/www-community/attacks/CSV_Injection).
const formula = /^[=+\-@\t\r]/;

function cell(text: string): string {
  const harmless = (formula.test(text) ? "'" : "") + printable(text);
  return /[",]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
