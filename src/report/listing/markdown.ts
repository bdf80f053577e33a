/** Prints lists and coverage counts as Markdown tables. */

import type { CoverageCounts } from "../../model/listing.ts";
import { plainText } from "../markdown/escape.ts";
import {
  differenceText,
  countColumns,
  coverageLine,
  type CoveragePrinter,
  listCells,
  listHeader,
  listLine,
  type ListPrinter,
  type ListView,
  policyLines,
  comparisonLines,
} from "./document.ts";

/** Prints a list as a table, followed by a summary line. */
export function printListMarkdown(view: ListView): ListPrinter {
  return {
    head: () => headOf(listHeader(view)),
    entity: (entity) => row(listCells(entity, view)),
    end: (end) => `\n${listLine(end, view)}\n`,
  };
}

/** Prints a table of counts, the policies, and a summary line. */
export const printCoverageMarkdown: CoveragePrinter = (coverage) => {
  const { groups, total, difference } = coverage;
  const policies = policyLines(coverage).map((line) => `- ${plainText(line)}\n`);
  return [
    headOf(["key", ...Object.keys(countColumns(total))]),
    ...groups.map((group, index) => row([group.key, ...countCells(group, difference?.groups[index])])),
    ...(policies.length > 0 ? ["\n", ...policies] : []),
    ...comparisonLines(coverage).map((line) => `\n${plainText(line)}\n`),
    `\n${coverageLine(coverage)}\n`,
  ].join("");
};

function countCells(counts: CoverageCounts, difference: CoverageCounts | undefined): readonly string[] {
  const more = difference && countColumns(difference);
  return Object.entries(countColumns(counts)).map(
    ([name, number]) => `${number}${differenceText(more?.[name])}`,
  );
}

function headOf(header: readonly string[]): string {
  return `${row(header)}${row(
    header.map(() => "---"),
    String,
  )}`;
}

function row(cells: readonly string[], escape: (text: string) => string = plainText): string {
  return `| ${cells.map(escape).join(" | ")} |\n`;
}
