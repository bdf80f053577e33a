import type { Origin } from "../model/origin.ts";
import type { Problem } from "../model/problem.ts";
import { count } from "./count.ts";
import { excerptLines } from "./excerpt.ts";
import { type Paint, paintWith } from "./paint.ts";
import { printable, printableLine } from "./printable.ts";
import { fileTexts } from "./problem-texts/file-texts.ts";
import { historyTexts } from "./problem-texts/history-texts.ts";
import { liveTexts } from "./problem-texts/live-texts.ts";
import { manifestTexts } from "./problem-texts/manifest-texts.ts";
import type { ProblemText, ProblemTexts } from "./problem-texts/problem-text.ts";
import { settingsTexts } from "./problem-texts/settings-texts.ts";
import { wrapped } from "./wrapped.ts";

const texts: ProblemTexts = {
  ...fileTexts,
  ...manifestTexts,
  ...settingsTexts,
  ...historyTexts,
  ...liveTexts,
};

/** Every public code with what it means, sorted. */
export const problemCodes: readonly { readonly code: string; readonly meaning: string }[] = Object.entries(
  texts,
)
  .map(([code, { meaning }]) => ({ code, meaning }))
  .toSorted((a, b) => (a.code < b.code ? -1 : 1));

/** How problems are shown. `limit` is the most that are shown one by one; errors come before warnings then. */
export interface ProblemView {
  readonly lineOf: (origin: Origin) => string | undefined;
  readonly width: number;
  /** Whether messages are broken into lines of that width: for a terminal, not for a file that is searched. */
  readonly wrap?: boolean;
  readonly color?: boolean;
  readonly limit?: number;
}

/** Problems for people: position, severity, code, message, the line with a caret, a suggestion. Ends in a line break. */
export function renderProblems(problems: readonly Problem[], view: ProblemView): string {
  const shown = withinLimit(problems, view.limit ?? problems.length);
  const paint = paintWith(view.color ?? false);
  const blocks = shown.map((problem) => blockOf(problem, view, paint));
  const rest = problems.length - shown.length;
  if (rest > 0) blocks.push(`… and ${count(rest, "more problem")}: ${countsOf(problems)} in all\n`);
  return blocks.join("");
}

/** What a problem says, on one line, without its position and suggestion. */
export function messageOf(problem: Problem): string {
  return printable(
    textOf(problem)?.message(problem.args) ?? `${problem.code} ${JSON.stringify(problem.args)}`,
  );
}

/** What a problem says and what it suggests, on one line, without its position. */
export function sentenceOf(problem: Problem): string {
  const suggestion = suggestionText(problem);
  return messageOf(problem) + (suggestion === undefined ? "" : `; ${suggestion}`);
}

/** Whether a problem concerns a file or folder as a whole, so that its line says nothing. */
export function isOfWholeFile(problem: Problem): boolean {
  return textOf(problem)?.whole ?? false;
}

/** Problems in their public JSON form. */
export function problemsJson(problems: readonly Problem[], lineOf: ProblemView["lineOf"]): readonly object[] {
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

function textOf({ code }: Problem): ProblemText | undefined {
  return Object.hasOwn(texts, code) ? texts[code] : undefined;
}

function withinLimit(problems: readonly Problem[], limit: number): readonly Problem[] {
  if (problems.length <= limit) return problems;
  const errors = problems.filter(({ severity }) => severity === "error").length;
  let errorsLeft = Math.min(errors, limit);
  let warningsLeft = limit - errorsLeft;
  return problems.filter(({ severity }) => (severity === "error" ? errorsLeft-- > 0 : warningsLeft-- > 0));
}

/** "2 errors and 1 warning". */
export function countsOf(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const counts = [
    errors > 0 && count(errors, "error"),
    errors < problems.length && count(problems.length - errors, "warning"),
  ];
  return counts.filter((each) => each !== false).join(" and ");
}

function blockOf(problem: Problem, view: ProblemView, paint: Paint): string {
  const { code, severity, related } = problem;
  const name = `${severity} ${printable(code)}:`;
  const head = printableLine(`${positionOf(problem)}${name}`);
  const line = `${head} ${sentenceOf(problem)}`;
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

/** Whether a line was kept only as far as before the place. */
function isBeyondKept({ source, origin }: Problem): boolean {
  return source?.length === longestSource && (origin?.column ?? 0) > longestSource;
}

function positionOf(problem: Problem): string {
  if (!problem.origin) return "";
  return isOfWholeFile(problem) ? `${printable(problem.origin.file)}: ` : `${placeText(problem.origin)} `;
}

function placeText({ file, line, column }: Origin): string {
  return `${printable(file)}:${line}:${column}`;
}

function sourceOf(problem: Problem, lineOf: ProblemView["lineOf"]): string | undefined {
  const text = textOf(problem);
  if (!problem.origin || text?.whole || text?.secret) return undefined;
  const line = problem.source ?? lineOf(problem.origin);
  return line?.trim() === "" ? undefined : line;
}

/** What was probably meant, or what to write instead. */
function suggestionOf({ args }: Problem): string | undefined {
  const suggestion = args["suggestion"] ?? args["write"];
  return typeof suggestion === "string" ? printable(suggestion) : undefined;
}

function suggestionText(problem: Problem): string | undefined {
  const suggestion = suggestionOf(problem);
  // A missing value's message names what to write among its ways out.
  if (suggestion === undefined || problem.code === "null-value") return undefined;
  return problem.args["suggestion"] === undefined
    ? `write \`${suggestion}\``
    : `did you mean \`${suggestion}\`?`;
}
