import { plainText } from "../markdown/escape.ts";
import {
  coverageLine,
  type CoveragePrinter,
  coverageTable,
  listCells,
  listHeader,
  listLine,
  type ListPrinter,
  type ListView,
  policyLine,
} from "./document.ts";

/** A list as a table in Markdown, and the line that sums it up. */
export function printListMarkdown(view: ListView): ListPrinter {
  return {
    head: () => headOf(listHeader(view)),
    entity: (entity) => row(listCells(entity, view)),
    end: (end) => `\n${listLine(end, view)}\n`,
  };
}

/** Counts as a table in Markdown. */
export const printCoverageMarkdown: CoveragePrinter = (coverage) => {
  const [header = [], ...rows] = coverageTable(coverage);
  const policies = coverage.policies.map((policy) => `- ${plainText(policyLine(policy))}\n`);
  return [
    headOf(header),
    ...rows.map((cells) => row(cells)),
    ...(policies.length > 0 ? ["\n", ...policies] : []),
    `\n${coverageLine(coverage.total)}\n`,
  ].join("");
};

function headOf(header: readonly string[]): string {
  return `${row(header)}${row(
    header.map(() => "---"),
    String,
  )}`;
}

function row(cells: readonly string[], escape: (text: string) => string = plainText): string {
  return `| ${cells.map(escape).join(" | ")} |\n`;
}
