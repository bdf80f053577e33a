/** Prints the result of `doctor`: the setup checks, and the server's capabilities. */

import type { KnownCapability } from "../../model/capability.ts";
import type { Check, Diagnosis } from "../../model/diagnosis.ts";
import { count } from "../count.ts";
import { jsonText } from "../json/pieces.ts";
import { printableLine } from "../printable.ts";

/** Prints diagnoses. */
export type DiagnosisPrinter = (diagnosis: Diagnosis) => string;

/** Prints a diagnosis as text: each check with its advice, the server's capabilities, and the totals. */
export const printDiagnosisText: DiagnosisPrinter = ({ checks, capabilities }) => {
  const width = checks.reduce((max, { id }) => Math.max(max, id.length), 0);
  const lines = checks.flatMap(({ id, status, message, todo }) => [
    `${status.padEnd("problem".length)}  ${id.padEnd(width)}  ${message}`,
    ...(todo === undefined ? [] : [`${" ".repeat("problem".length + width + 4)}To do: ${todo}`]),
  ]);
  const { ok, warning, problem } = countChecks(checks);
  const total = `${ok} ok, ${count(warning, "warning")}, ${count(problem, "problem")}.`;
  return `${textOf(lines)}\n${textOf(capabilityLines(capabilities))}${total}\n`;
};

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${printableLine(line)}\n`).join("");
}

/** Prints a line for each capability, followed by the consequence if the server lacks it. */
function capabilityLines(capabilities: readonly KnownCapability[]): readonly string[] {
  if (capabilities.length === 0) return [];
  const width = capabilities.reduce((max, { id }) => Math.max(max, id.length), 0);
  const lines = capabilities.flatMap(({ id, isThere, what, without }) => [
    `${words(isThere).padEnd("unknown".length)}  ${id.padEnd(width)}  ${what}`,
    ...(isThere === true ? [] : [`${" ".repeat("unknown".length + width + 4)}Without it: ${without}`]),
  ]);
  return ["Server capabilities:", ...lines, ""];
}

function words(isThere: boolean | null): string {
  if (isThere === null) return "unknown";
  return isThere ? "yes" : "no";
}

/** Prints a diagnosis as JSON. */
export const printDiagnosisJson: DiagnosisPrinter = ({ checks, capabilities }) =>
  jsonText({
    formatVersion: "1",
    checks,
    capabilities: capabilities.map(({ asked: _, ...capability }) => capability),
    summary: countChecks(checks),
  });

function countChecks(checks: readonly Check[]): Readonly<Record<Check["status"], number>> {
  const of = (status: Check["status"]): number => checks.filter((check) => check.status === status).length;
  return { ok: of("ok"), warning: of("warning"), problem: of("problem") };
}
