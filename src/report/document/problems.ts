/** Writes problem messages and suggestions, as document rows and as JSON. */

import { kindOfType, nounOf, nounOfType, pluralOf } from "../../kinds/index.ts";
import type { Names } from "../../model/plan.ts";
import {
  isError,
  type PlanProblem,
  type ProblemArgs,
  type ProblemCode,
  type ProblemOf,
  problems as definitions,
} from "../../model/problem.ts";
import type { ProblemDefinition } from "../../model/problems/problem.ts";
import { count } from "../count.ts";
import { printable } from "../printable.ts";
import type { ProblemRow, View } from "./document.ts";
import { sentenceWithNames } from "./values.ts";

/** All public problem codes, sorted. docs/problems.md explains each code. */
export const problemCodes: readonly string[] = Object.keys(definitions).toSorted();

const nouns = {
  nounOf,
  pluralOf,
  nounOfType,
  pluralOfType: (type: string) => pluralOf(kindOfType(type)?.name ?? "entity"),
};

/** Converts a problem into a document row. */
export function problemRow(problem: PlanProblem, lineOf: View["lineOf"], names?: Names): ProblemRow {
  const { severity, code, args, origin, related } = problem;
  return {
    severity,
    code,
    args,
    text: sentenceOf(problem, names),
    ...(origin && { origin }),
    isOfFile: lineShownOf(code) === "none",
    ...(related && { related }),
    source: () => (isBeyondSavedLine(problem) ? undefined : sourceOf(problem, lineOf)),
  };
}

/** Returns a problem's message on one line, without its position and suggestion. */
export function messageOf(problem: PlanProblem): string {
  return printable("message" in problem ? problem.message : typedMessageOf(problem));
}

/** Returns a problem's message and suggestion on one line, without its position. */
export function sentenceOf(problem: PlanProblem, names?: Names): string {
  const suggestion = suggestionText(problem);
  const message = printable(sentenceWithNames(messageOf(problem), names));
  return message + (suggestion === undefined ? "" : `; ${suggestion}`);
}

/** Converts problems into their public JSON format. */
export function problemsJson(problems: readonly PlanProblem[], lineOf: View["lineOf"]) {
  return problems.map((problem) => {
    const { code, severity, args, origin, related } = problem;
    const suggestion = suggestionOf(problem);
    const source = sourceOf(problem, lineOf);
    return {
      code,
      severity,
      message: messageOf(problem),
      args,
      ...origin,
      ...(source !== undefined && { source: source.slice(0, maxSourceLength) }),
      ...(suggestion !== undefined && { suggestion }),
      ...(related && { related }),
    };
  });
}

const maxSourceLength = 500;

/** Counts problems by severity: "2 errors and 1 warning". */
export function countsOf(problems: readonly Pick<PlanProblem, "severity">[]): string {
  const errors = problems.filter(isError).length;
  const counts = [
    errors > 0 && count(errors, "error"),
    errors < problems.length && count(problems.length - errors, "warning"),
  ];
  return counts.filter((each) => each !== false).join(" and ");
}

function typedMessageOf<Code extends ProblemCode>({ code, args, severity }: ProblemOf<Code>): string {
  const { message } = definitions[code];
  return typeof message === "string" ? message : message(args, { severity, ...nouns });
}

function lineShownOf(code: string): ProblemDefinition<never>["line"] {
  return Object.hasOwn(definitions, code) ? definitions[code as ProblemCode].line : undefined;
}

function sourceOf(problem: PlanProblem, lineOf: View["lineOf"]): string | undefined {
  if (!problem.origin || lineShownOf(problem.code) !== undefined) return undefined;
  const line = "source" in problem ? problem.source : lineOf(problem.origin);
  return line?.trim() === "" ? undefined : line;
}

/** Whether the saved line was cut off before the problem's column. */
function isBeyondSavedLine(problem: PlanProblem): boolean {
  const kept = "source" in problem ? problem.source.length : 0;
  return kept === maxSourceLength && (problem.origin?.column ?? 0) > maxSourceLength;
}

/** Returns the value that the user probably meant, or the text to write instead. */
function suggestionOf(problem: PlanProblem): string | undefined {
  const args: ProblemArgs = problem.args;
  const suggestion = args["suggestion"] ?? args["write"];
  return typeof suggestion === "string" ? printable(suggestion) : undefined;
}

function suggestionText(problem: PlanProblem): string | undefined {
  const suggestion = suggestionOf(problem);
  const args: ProblemArgs = problem.args;
  // If the code is `null-value` or the problem names an id, the message already contains the suggestion.
  if (suggestion === undefined || problem.code === "null-value" || args["named"] !== undefined)
    return undefined;
  return args["suggestion"] === undefined ? `write \`${suggestion}\`` : `did you mean \`${suggestion}\`?`;
}
