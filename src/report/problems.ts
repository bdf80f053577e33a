import type { Origin } from "../model/origin.ts";
import type { Names } from "../model/plan.ts";
import type { PlanProblem, ProblemArgs, ProblemCode, ProblemOf, ProblemTable } from "../model/problem.ts";
import { sentenceWithNames } from "./called.ts";
import { count } from "./count.ts";
import { excerptLines } from "./excerpt.ts";
import { type Paint, paintWith } from "./paint.ts";
import { printable, printableLine } from "./printable.ts";
import { fileTexts } from "./problem-texts/file-texts.ts";
import { baseTexts, changedSinceTexts } from "./problem-texts/history-texts.ts";
import { liveTexts } from "./problem-texts/live-texts.ts";
import { manifestTexts } from "./problem-texts/manifest-texts.ts";
import type { ProblemText, ProblemTexts } from "./problem-texts/problem-text.ts";
import { settingsTexts } from "./problem-texts/settings-texts.ts";
import { wrapped } from "./wrapped.ts";

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

/** How problems are shown. At most `limit` problems are shown, errors before warnings. */
export interface ProblemView {
  readonly lineOf: (origin: Origin) => string | undefined;
  readonly width: number;
  /** Whether messages are wrapped at that width: for a terminal, not for a log file. */
  readonly wrap?: boolean;
  readonly color?: boolean;
  readonly limit?: number;
  /** The display names of URNs. */
  readonly names?: Names | undefined;
}

/** Problems for people: position, severity, code, message, the line with a caret, a suggestion. Ends in a line break. */
export function renderProblems(problems: readonly PlanProblem[], view: ProblemView): string {
  const shown = withinLimit(problems, view.limit ?? problems.length);
  const paint = paintWith(view.color ?? false);
  const blocks = shown.map((problem) => blockOf(problem, view, paint));
  const rest = problems.length - shown.length;
  if (rest > 0) blocks.push(`… and ${count(rest, "more problem")}: ${countsOf(problems)} in all\n`);
  return blocks.join("");
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

/** Whether a problem concerns a whole file or directory, so that its line is of no use. */
export function isOfWholeFile(problem: PlanProblem): boolean {
  return viewOf(problem).whole ?? false;
}

/** Problems in their public JSON form. */
export function problemsJson(
  problems: readonly PlanProblem[],
  lineOf: ProblemView["lineOf"],
): readonly object[] {
  return problems.map((problem) => {
    const { code, severity, origin, related } = problem;
    const suggestion = suggestionOf(problem);
    const source = sourceOf(problem, lineOf);
    return {
      code,
      severity,
      message: messageOf(problem),
      args: problem.args,
      ...origin,
      ...(source !== undefined && { source: source.slice(0, longestSource) }),
      ...(suggestion !== undefined && { suggestion }),
      ...(related && { related }),
    };
  });
}

const longestSource = 500;

function typedMessageOf<Code extends ProblemCode>({ code, args, severity }: ProblemOf<Code>): string {
  const text: ProblemText<ProblemTable[Code]> = texts[code];
  return text.message(args, severity);
}

/** How problems of a code are shown. A saved plan may have a code that this version does not know. */
function viewOf({ code }: PlanProblem): Partial<Omit<ProblemText<never>, "message">> {
  return Object.hasOwn(texts, code) ? texts[code as ProblemCode] : {};
}

function withinLimit(problems: readonly PlanProblem[], limit: number): readonly PlanProblem[] {
  if (problems.length <= limit) return problems;
  const errors = problems.filter(({ severity }) => severity === "error").length;
  let errorsLeft = Math.min(errors, limit);
  let warningsLeft = limit - errorsLeft;
  return problems.filter(({ severity }) => (severity === "error" ? errorsLeft-- > 0 : warningsLeft-- > 0));
}

/** "2 errors and 1 warning". */
export function countsOf(problems: readonly PlanProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const counts = [
    errors > 0 && count(errors, "error"),
    errors < problems.length && count(problems.length - errors, "warning"),
  ];
  return counts.filter((each) => each !== false).join(" and ");
}

function blockOf(problem: PlanProblem, view: ProblemView, paint: Paint): string {
  const { code, severity, related } = problem;
  const name = `${severity} ${printable(code)}:`;
  const head = printableLine(`${positionOf(problem)}${name}`);
  const line = `${head} ${sentenceOf(problem, view.names)}`;
  const first = (view.wrap ?? true) ? wrapped(line, view.width) : line;
  const source = isBeyondKept(problem) ? undefined : sourceOf(problem, view.lineOf);
  const lines = [
    first.replace(name, () => paint(severity, name)),
    ...(source === undefined || !problem.origin
      ? []
      : excerptLines(source, problem.origin, view.width, paint)),
    ...(related ? [`  see also ${placeText(related)}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Whether the saved line was cut before the column of the problem. */
function isBeyondKept(problem: PlanProblem): boolean {
  const kept = "source" in problem ? problem.source.length : 0;
  return kept === longestSource && (problem.origin?.column ?? 0) > longestSource;
}

function positionOf(problem: PlanProblem): string {
  if (!problem.origin) return "";
  return isOfWholeFile(problem) ? `${printable(problem.origin.file)}: ` : `${placeText(problem.origin)} `;
}

function placeText({ file, line, column }: Origin): string {
  return `${printable(file)}:${line}:${column}`;
}

function sourceOf(problem: PlanProblem, lineOf: ProblemView["lineOf"]): string | undefined {
  const { whole, secret } = viewOf(problem);
  if (!problem.origin || whole || secret) return undefined;
  const line = "source" in problem ? problem.source : lineOf(problem.origin);
  return line?.trim() === "" ? undefined : line;
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
