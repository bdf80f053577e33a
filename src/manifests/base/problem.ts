/** Builds the errors and warnings about manifests, and names the types of the values in them. */

import type { Origin } from "../../model/origin.ts";
import type { Problem, ProblemArgs, ProblemCode, ProblemOf, ProblemTable } from "../../model/problem.ts";
import type { FoundType } from "../../model/problems/text.ts";

/**
 * The maximum length of a string in the arguments of a problem. A longer string is cut, so that a huge value does not use memory.
 */
const maxQuoteLength = 200;

/** An error: it must be corrected. */
export const errorAt = problemsOf("error");

/** A warning: it does not change the exit code. */
export const warningAt = problemsOf("warning");

function problemsOf(severity: Problem["severity"]) {
  return <Code extends ProblemCode>(
    origin: Origin,
    code: Code,
    args: ProblemTable[Code],
    related?: Origin,
  ): ProblemOf<Code> => ({ code, severity, args: quotable(args), origin, ...(related && { related }) });
}

/** The origin of a problem with a complete file or directory. */
export function fileOrigin(file: string): Origin {
  return { file, line: 1, column: 1 };
}

/** The type of a value that was read from YAML. */
export function foundTypeOf(value: unknown): FoundType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "object";
}

// The arguments without `undefined` values, and with long texts cut.
function quotable<Args extends ProblemArgs>(args: Args): Args {
  const entries = Object.entries(args)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, typeof value === "string" ? cut(value) : value]);
  return Object.fromEntries(entries) as Args;
}

function cut(text: string): string {
  return text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text;
}
