/** Finds lines, indents and punctuation in YAML source text, and applies replacements to it. */

import type { SourcePlace } from "../yaml/parsed-document.ts";

/** A range in a text, and the text that replaces it. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replaces the given ranges in a text. Skips a range that starts within a range that has already been replaced. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text: other } of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at) continue;
    result += text.slice(at, start) + other;
    at = end;
  }
  return result + text.slice(at);
}

/** Returns the start of the line that contains an offset. */
export function lineStartAt(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Returns the start of the line after an offset, or the end of the text if there is no such line. */
export function nextLineAt(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** Whether only whitespace precedes an offset on its line. */
export function isFirstInLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStartAt(text, offset), offset));
}

/** Whether only whitespace and a comment follow an offset on its line. */
export function isLastInLine(text: string, offset: number): boolean {
  return /^[ \t]*(?:[ \t]#[^\n]*)?\r?\n?$/.test(text.slice(offset, nextLineAt(text, offset)));
}

/** Returns the spaces that indent a line to the column of an offset. */
export function indentTo(text: string, offset: number): string {
  return " ".repeat(offset - lineStartAt(text, offset));
}

/** Returns the end of a range, excluding trailing whitespace. */
export function contentEnd(text: string, start: number, end: number): number {
  return start + text.slice(start, end).trimEnd().length;
}

/** Indents the lines and ends them with a newline. Empty lines stay empty. */
export function indented(lines: string, indent: string): string {
  return `${lines.replace(/^(?=.)/gm, indent)}\n`;
}

/** Whether a list or mapping at this offset is in brackets or braces. */
export function isFlowAt(text: string, start: number): boolean {
  return text[start] === "[" || text[start] === "{";
}

/** Returns the punctuation between values and comments: dashes, commas, colons, anchors and tags. */
export function punctuationIn(
  text: string,
  from: number,
  to: number,
): readonly { readonly sign: string; readonly offset: number }[] {
  return [...text.slice(from, to).matchAll(/#.*|,|[^\s,]+/g)].flatMap(({ 0: sign, index }) =>
    sign.startsWith("#") ? [] : [{ sign, offset: from + index }],
  );
}

/** Returns the end of a key, before its colon. */
export function keyEnd(text: string, { key, value }: SourcePlace): number {
  const pattern = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\n]*?(?=\s*:\s))/;
  return key + (pattern.exec(text.slice(key, value))?.[0].length ?? 0);
}

/** Returns a list with one empty line if the line before an offset is empty or ends a document; otherwise an empty list. */
export function emptyLineBefore(text: string, offset: number): readonly string[] {
  const start = lineStartAt(text, offset);
  const isFirst = /^[ \t?-]*$/.test(text.slice(start, offset));
  const before = start === 0 ? "none" : text.slice(lineStartAt(text, start - 1), start);
  return isFirst && /^(?:\.\.\.)?[ \t]*\n$/.test(before) ? [""] : [];
}
