import type { Origin } from "../model/origin.ts";
import type { Problem, ProblemArgs } from "../model/problem.ts";

/** The longest text that a problem quotes; the rest is cut, so that a huge value is never carried around. */
const longestQuote = 200;

/** A mistake that must be corrected. */
export function errorAt(
  origin: Origin,
  code: string,
  args: Readonly<Record<string, ProblemArgs[string] | undefined>> = {},
  related?: Origin,
): Problem {
  return { code, severity: "error", args: quotable(args), origin, ...(related && { related }) };
}

/** Something to look at that leaves the exit code alone. */
export function warningAt(
  origin: Origin,
  code: string,
  args: Readonly<Record<string, ProblemArgs[string] | undefined>>,
  related?: Origin,
): Problem {
  return { code, severity: "warning", args: quotable(args), origin, ...(related && { related }) };
}

/** The origin of a problem that concerns a file or folder as a whole. */
export function wholeOf(file: string): Origin {
  return { file, line: 1, column: 1 };
}

function quotable(args: Readonly<Record<string, ProblemArgs[string] | undefined>>): ProblemArgs {
  const entries: [string, ProblemArgs[string]][] = [];
  for (const [key, value] of Object.entries(args)) {
    if (value !== undefined) entries.push([key, typeof value === "string" ? cut(value) : value]);
  }
  return Object.fromEntries(entries);
}

function cut(text: string): string {
  return text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text;
}
