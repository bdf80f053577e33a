import type { Names } from "../../model/plan.ts";
import type { PlanProblem, ProblemArgs, ProblemCode, ProblemOf, ProblemTable } from "../../model/problem.ts";
import { count } from "../count.ts";
import { printable } from "../printable.ts";
import { fileTexts } from "../problem-texts/file-texts.ts";
import { baseTexts, changedSinceTexts } from "../problem-texts/history-texts.ts";
import { liveTexts } from "../problem-texts/live-texts.ts";
import { manifestTexts } from "../problem-texts/manifest-texts.ts";
import type { ProblemText, ProblemTexts } from "../problem-texts/problem-text.ts";
import { settingsTexts } from "../problem-texts/settings-texts.ts";
import type { ProblemRow, View } from "./document.ts";
import { sentenceWithNames } from "./values.ts";

const texts: ProblemTexts<ProblemTable> = {
  ...fileTexts,
  ...manifestTexts,
  ...settingsTexts,
  ...baseTexts,
  ...changedSinceTexts,
  ...liveTexts,
};

/** Every public code with its meaning, sorted. */
export const problemCodes: readonly { readonly code: string; readonly meaning: string }[] = Object.entries(
  texts,
)
  .map(([code, { meaning }]) => ({ code, meaning }))
  .toSorted((a, b) => (a.code < b.code ? -1 : 1));

/** A problem as documents have it. */
export function problemRow(problem: PlanProblem, lineOf: View["lineOf"], names?: Names): ProblemRow {
  const { severity, code, args, origin, related } = problem;
  return {
    severity,
    code,
    args,
    text: sentenceOf(problem, names),
    ...(origin && { origin }),
    isOfFile: viewOf(problem).isOfFile ?? false,
    ...(related && { related }),
    source: () => (isBeyondKept(problem) ? undefined : sourceOf(problem, lineOf)),
  };
}

/** The message of a problem, on one line, without its position and suggestion. */
export function messageOf(problem: PlanProblem): string {
  return printable("message" in problem ? problem.message : typedMessageOf(problem));
}

/** The message and the suggestion of a problem, on one line, without its position. */
export function sentenceOf(problem: PlanProblem, names?: Names): string {
  const suggestion = suggestionText(problem);
  const message = printable(sentenceWithNames(messageOf(problem), names));
  return message + (suggestion === undefined ? "" : `; ${suggestion}`);
}

/** Problems in their public JSON form. */
export function problemsJson(problems: readonly PlanProblem[], lineOf: View["lineOf"]): readonly object[] {
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
      ...(source !== undefined && { source: source.slice(0, longestSource) }),
      ...(suggestion !== undefined && { suggestion }),
      ...(related && { related }),
    };
  });
}

const longestSource = 500;

/** "2 errors and 1 warning". */
export function countsOf(problems: readonly Pick<PlanProblem, "severity">[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const counts = [
    errors > 0 && count(errors, "error"),
    errors < problems.length && count(problems.length - errors, "warning"),
  ];
  return counts.filter((each) => each !== false).join(" and ");
}

function typedMessageOf<Code extends ProblemCode>({ code, args, severity }: ProblemOf<Code>): string {
  const text: ProblemText<ProblemTable[Code]> = texts[code];
  return text.message(args, severity);
}

/** How problems of a code are shown. A saved plan may have a code that this version does not know. */
function viewOf({ code }: PlanProblem): Partial<Omit<ProblemText<never>, "message">> {
  return Object.hasOwn(texts, code) ? texts[code as ProblemCode] : {};
}

function sourceOf(problem: PlanProblem, lineOf: View["lineOf"]): string | undefined {
  const { isOfFile, secret } = viewOf(problem);
  if (!problem.origin || isOfFile || secret) return undefined;
  const line = "source" in problem ? problem.source : lineOf(problem.origin);
  return line?.trim() === "" ? undefined : line;
}

/** Whether the saved line was cut before the column of the problem. */
function isBeyondKept(problem: PlanProblem): boolean {
  const kept = "source" in problem ? problem.source.length : 0;
  return kept === longestSource && (problem.origin?.column ?? 0) > longestSource;
}

/** The value that was probably meant, or what to write instead. */
function suggestionOf(problem: PlanProblem): string | undefined {
  const args: ProblemArgs = problem.args;
  const suggestion = args["suggestion"] ?? args["write"];
  return typeof suggestion === "string" ? printable(suggestion) : undefined;
}

function suggestionText(problem: PlanProblem): string | undefined {
  const suggestion = suggestionOf(problem);
  if (suggestion === undefined || viewOf(problem).namesWrite) return undefined;
  const args: ProblemArgs = problem.args;
  // The message names the id.
  if (args["named"] !== undefined) return undefined;
  return args["suggestion"] === undefined ? `write \`${suggestion}\`` : `did you mean \`${suggestion}\`?`;
}
