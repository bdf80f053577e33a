/** Wraps text to the width of a terminal. */

import { stripVTControlCharacters } from "node:util";
import { openStyle } from "./paint.ts";

/**
 * Wraps text at spaces, and keeps its colors. Two or more spaces begin a column, which moves to a new line if it does not fit.
 * Text of up to 60 characters in backticks is not broken. All lines except the first are indented.
 */
export function wrapText(text: string, width: number, indent = "    "): string {
  const lines: string[] = [];
  let line = "";
  const words = wordsIn(text);
  for (const [index, { gap, word }] of words.entries()) {
    const unbroken = gap.length > 1 ? columnAt(index, words) : word;
    if (line === "" || displayWidth(line + gap + unbroken) <= width) {
      line += gap + word;
      continue;
    }
    const { start, end } = openStyle(line);
    lines.push(line + end);
    line = indent + start + word;
  }
  return [...lines, line].join("\n");
}

/**
 * Wraps each line of a string. Continuation lines are aligned with the text after a sign such as `+`. A heading that ends with an
 * entity's URN is not wrapped, because terminals wrap it themselves and copy it without line breaks.
 */
export function wrapLines(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => (displayWidth(line) <= width ? line : wrappedLine(line, width)))
    .join("\n");
}

function wrappedLine(line: string, width: number): string {
  const plain = stripVTControlCharacters(line);
  if (/^ *([-+~] )?\w+ urn:li:\S+$/.test(plain)) return line;
  const [start = "", mark] = /^ *([-+~=] )?/.exec(plain) ?? [];
  // Without a sign, continuation lines are indented by four more characters than the first line.
  return wrapText(line, width, " ".repeat(start.length + (mark === undefined ? 4 : 0)));
}

/** A word, and the spaces before it. */
interface Word {
  readonly gap: string;
  readonly word: string;
}

function columnAt(index: number, words: readonly Word[]): string {
  const next = words.findIndex(({ gap }, at) => at > index && gap.length > 1);
  const column = words.slice(index, next < 0 ? undefined : next);
  return column.map(({ gap, word }, at) => (at === 0 ? word : gap + word)).join("");
}

function wordsIn(text: string): readonly Word[] {
  const words = [...text.matchAll(/(\s*)((?:`[^`]*`|[^\s`]|`)+)/g)];
  return words.flatMap(([, before = "", word = ""]) => {
    const gap = /[^ ]/.test(before) ? " " : before;
    const parts = /`[^`]{61,}`/.test(word) ? word.trim().split(/\s+/) : [word];
    return parts.map((part, index) => ({ gap: index === 0 ? gap : " ", word: part }));
  });
}

const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** Returns the number of terminal columns that a string fills. Color codes do not count. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text))
    width += /\p{M}/u.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}
