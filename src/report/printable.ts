import { replaceHidden } from "../model/text/hidden-characters.ts";

// Control characters could change what a terminal shows. Those that change the order in which text is read are among the
// hidden ones.
// oxlint-disable-next-line no-control-regex -- these characters are the point
const control = /[\u0000-\u001F\u007F-\u009F]/g;

// Commands of runners in the middle of a line: `##[error]`, and `##vso[…]` and its like elsewhere.
const runnerCommand = /##(?=[a-z]*\[)/gi;

/**
 * A text that is safe to print anywhere, on one line and of the same length. Replaces control characters, characters that are
 * not seen, and the marker that runners read as a command in the middle of a line.
 */
export function printable(text: string): string {
  const visible = replaceHidden(text, (character) => "\uFFFD".repeat(character.length));
  return visible.replaceAll("\t", " ").replace(control, "\uFFFD").replace(runnerCommand, "#\uFFFD");
}

/** `printable` for a text at the start of a line, where GitHub Actions reads two colons as a command. */
export function printableLine(text: string): string {
  return printable(text).replace(/^\s*(?=::)/, "'");
}

/** A JSON text with the same value, in which nothing steers what shows it. */
export function printableJson(json: string): string {
  return replaceHidden(json, escapeOf)
    .replace(control, (character) => (character === "\n" ? character : escapeOf(character)))
    .replace(runnerCommand, `#${escapeOf("#")}`);
}

function escapeOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
