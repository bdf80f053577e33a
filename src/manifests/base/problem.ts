/** Builds errors and warnings about manifests, and determines the types of YAML values. */

import type { Origin } from "../../model/origin.ts";
import type { Problem, ProblemArgs, ProblemCode, ProblemOf, ProblemTable } from "../../model/problem.ts";
import type { FoundType } from "../../model/problems/text.ts";

/** The maximum length of a string in a problem's arguments. Longer strings are truncated to save memory. */
const maxQuoteLength = 200;

/** Builds an error, which the user must fix. */
export const errorAt = problemsOf("error");

/** Builds a warning, which does not change the exit code. */
export const warningAt = problemsOf("warning");

function problemsOf(severity: Problem["severity"]) {
  return <Code extends ProblemCode>(
    origin: Origin,
    code: Code,
    args: ProblemTable[Code],
    related?: Origin,
  ): ProblemOf<Code> => ({ code, severity, args: quotable(args), origin, ...(related && { related }) });
}

/** Returns the position for a problem that concerns an entire file or directory. */
export function fileOrigin(file: string): Origin {
  return { file, line: 1, column: 1 };
}

/** Returns the type of a value that was read from YAML. */
export function foundTypeOf(value: unknown): FoundType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "object";
}

// Removes `undefined` arguments and truncates long strings.
function quotable<Args extends ProblemArgs>(args: Args): Args {
  const entries = Object.entries(args)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, typeof value === "string" ? cut(value) : value]);
  return Object.fromEntries(entries) as Args;
}

function cut(text: string): string {
  return text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text;
}
