import type { Origin } from "../model/origin.ts";
import type { Paint } from "./symbols.ts";

// Control characters could change what a terminal shows, and characters of direction the order in which it is read.
// oxlint-disable-next-line no-control-regex -- these characters are the point
const unprintable = /[\u0000-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g;

/**
 * A text that can be printed anywhere, on one line and of the same length: what would steer the terminal is replaced, and
 * what GitHub Actions takes for a command in the middle of a line.
 */
export function printable(text: string): string {
  return text.replaceAll("\t", " ").replace(unprintable, "\uFFFD").replaceAll("##[", "#\uFFFD[");
}

/** A text that begins a line, as `printable`; GitHub Actions takes two colons there for a command. */
export function printableLine(text: string): string {
  return printable(text).replace(/^\s*(?=::)/, "'");
}

/** The offending line with a caret below its column, both cut around the caret to the width. */
export function excerptLines(source: string, origin: Origin, width: number, paint: Paint): readonly string[] {
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
  const from = wholeCharacter(source, Math.max(0, at - Math.floor(room / 2)));
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

function wholeCharacter(source: string, at: number): number {
  const code = source.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += /\p{M}/u.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

/** A message broken to the width at spaces, those in back quotes left whole; what follows is indented. */
export function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  let line = "";
  for (const [word] of text.matchAll(/(?:`[^`]{0,60}`|[^\s`]|`)+/g)) {
    const fits = line === "" || displayWidth(line) + 1 + displayWidth(word) <= width;
    if (fits) {
      line = line === "" ? word : `${line} ${word}`;
      continue;
    }
    lines.push(line);
    line = `    ${word}`;
  }
  return [...lines, line].join("\n");
}
