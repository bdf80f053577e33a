/** Prints problems as text, each with its line and a caret. */

import type { Origin } from "../../model/origin.ts";
import { isError } from "../../model/problem.ts";
import { count } from "../count.ts";
import type { ProblemRow } from "../document/document.ts";
import { countsOf } from "../document/problems.ts";
import { positionText } from "../document/values.ts";
import { type Paint, paintWith } from "./paint.ts";
import { printable, printableLine } from "../printable.ts";
import { displayWidth, wrapText } from "./wrap.ts";

/** The options for printing problems as text. At most `limit` problems are shown, errors before warnings. */
export interface ProblemsStyle {
  readonly width: number;
  /** Whether to wrap messages at `width`. They are wrapped in terminals, but not in log files. */
  readonly wrap?: boolean;
  readonly color?: boolean;
  readonly limit?: number | undefined;
}

/** Prints problems: position, severity, code, message, suggestion, and the line with a caret. The text ends with a line break. */
export function problemsText(problems: readonly ProblemRow[], style: ProblemsStyle): string {
  const shown = withinLimit(problems, style.limit ?? problems.length);
  const paint = paintWith(style.color ?? false);
  const blocks = shown.map((problem) => blockOf(problem, style, paint));
  const rest = problems.length - shown.length;
  if (rest > 0) blocks.push(`… and ${count(rest, "more problem")}: ${countsOf(problems)} in total\n`);
  return blocks.join("");
}

function withinLimit(problems: readonly ProblemRow[], limit: number): readonly ProblemRow[] {
  if (problems.length <= limit) return problems;
  let errorsLeft = Math.min(problems.filter(isError).length, limit);
  let warningsLeft = limit - errorsLeft;
  return problems.filter((problem) => (isError(problem) ? errorsLeft-- > 0 : warningsLeft-- > 0));
}

function blockOf(problem: ProblemRow, { wrap = true, width }: ProblemsStyle, paint: Paint): string {
  const { code, severity, text, origin, related } = problem;
  const name = `${severity} ${printable(code)}:`;
  const head = printableLine(`${placeText(problem)}${name}`);
  const line = `${head} ${text}`;
  const first = wrap ? wrapText(line, width) : line;
  const source = problem.source();
  const lines = [
    first.replace(name, () => paint(severity, name)),
    ...(source === undefined || !origin ? [] : excerptLines(source, origin, width, paint)),
    ...(related ? [`  see also ${positionText(related)}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function placeText({ origin, isOfFile }: ProblemRow): string {
  if (!origin) return "";
  return isOfFile ? `${printable(origin.file)}: ` : `${positionText(origin)} `;
}

/**
 * Prints a source line with a caret below the problem's column. If the line is longer than the width, prints only the part around
 * the caret.
 */
function excerptLines(source: string, origin: Origin, width: number, paint: Paint): readonly string[] {
  const gutter = `${origin.line} | `;
  const room = Math.max(width - gutter.length - 2, 20);
  const { text, caret } = cutAround(source, origin.column - 1, room);
  const margin = " ".repeat(gutter.length - 2);
  return [`  ${paint("dim", gutter)}${text}`, `  ${paint("dim", `${margin}| `)}${" ".repeat(caret)}^`];
}

function cutAround(
  source: string,
  column: number,
  room: number,
): { readonly text: string; readonly caret: number } {
  const at = Math.min(Math.max(column, 0), source.length);
  if (displayWidth(source.slice(0, room * 4)) <= room && source.length <= room * 4) {
    return { text: printable(source), caret: displayWidth(source.slice(0, at)) };
  }
  const from = startOfCharacter(source, Math.max(0, at - Math.floor(room / 2)));
  const lead = from > 0 ? "…" : "";
  let text = lead;
  let used = displayWidth(lead);
  let end = from;
  for (const character of source.slice(from, from + room * 2)) {
    const next = used + displayWidth(character);
    if (next > room - 1) break;
    text += character;
    used = next;
    end += character.length;
  }
  const caret = displayWidth(lead + source.slice(from, Math.min(at, end)));
  return { text: printable(text) + (end < source.length ? "…" : ""), caret };
}

function startOfCharacter(source: string, at: number): number {
  const code = source.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
