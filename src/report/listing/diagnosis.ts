import type { Check } from "../../model/diagnosis.ts";
import { count } from "../count.ts";
import { jsonText } from "../json/pieces.ts";
import { printableLine } from "../printable.ts";

/** Prints what a set-up was checked for. */
export type DiagnosisPrinter = (checks: readonly Check[]) => string;

/** Checks as text: a line for each, what to do below it, and how many they are. */
export const printDiagnosisText: DiagnosisPrinter = (checks) => {
  const width = checks.reduce((most, { id }) => Math.max(most, id.length), 0);
  const lines = checks.flatMap(({ id, status, message, todo }) => [
    `${status.padEnd("problem".length)}  ${id.padEnd(width)}  ${message}`,
    ...(todo === undefined ? [] : [`${" ".repeat("problem".length + width + 4)}To do: ${todo}`]),
  ]);
  const { ok, warning, problem } = countChecks(checks);
  const total = `${ok} ok, ${count(warning, "warning")}, ${count(problem, "problem")}.`;
  return `${lines.map((line) => `${printableLine(line)}\n`).join("")}\n${total}\n`;
};

/** Checks as JSON. */
export const printDiagnosisJson: DiagnosisPrinter = (checks) =>
  jsonText({ formatVersion: "1", checks, summary: countChecks(checks) });

function countChecks(checks: readonly Check[]): Readonly<Record<Check["status"], number>> {
  const of = (status: Check["status"]): number => checks.filter((check) => check.status === status).length;
  return { ok: of("ok"), warning: of("warning"), problem: of("problem") };
}
