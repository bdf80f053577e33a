import { type Results, summaryOf } from "./acceptance.ts";
import type { Row } from "./trial.ts";

/** The formats of results. */
export const formats = ["text", "markdown", "json"] as const;
export type Format = (typeof formats)[number];

const columns = ["operation", "release", "result", "seconds"] as const;

/** The results as a table, or as data. The last line of a table says how many passed and failed. */
export function resultsText({ release, rows }: Results, format: Format): string {
  if (format === "json") {
    const rounded = rows.map((row) => ({ ...row, seconds: Number(row.seconds.toFixed(1)) }));
    return `${JSON.stringify({ release, rows: rounded }, undefined, 2)}\n`;
  }
  const cells = rows.map(({ name, result, seconds }) => [name, release, result, seconds.toFixed(1)]);
  const table = format === "markdown" ? markdown([...cells]) : aligned([[...columns], ...cells]);
  return [...table, "", ...reasons(rows, format), summaryOf(rows), ""].join("\n");
}

function reasons(rows: readonly Row[], format: Format): readonly string[] {
  const lines = rows.flatMap(({ name, result, why }) =>
    why === undefined ? [] : [`${name} (${result}): ${why}`],
  );
  if (lines.length === 0) return [];
  return format === "markdown" ? ["```text", ...lines.map(plain), "```", ""] : [...lines, ""];
}

function plain(line: string): string {
  return line.replaceAll("```", "'''");
}

function markdown(rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(columns), "| --- | --- | --- | --: |", ...rows.map(line)];
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = columns.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
