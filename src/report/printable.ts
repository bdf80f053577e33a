/** Replaces characters that could manipulate the output of a terminal, a browser or a CI runner. */

import { replaceHidden } from "../model/text/hidden-characters.ts";

// Bidirectional control characters are not in this pattern, because `replaceHidden` replaces them.
// oxlint-disable-next-line no-control-regex -- the pattern must match control characters
const control = /[\u0000-\u001F\u007F-\u009F]/g;

// Matches the start of commands that CI runners recognize even in the middle of a line, such as `##[error]` and `##vso[…]`.
const runnerCommand = /##(?=[a-z]*\[)/gi;

/**
 * Makes text safe to print anywhere, on one line. Replaces control characters, invisible characters and runner commands, and
 * keeps the length of the text.
 */
export function printable(text: string): string {
  const visible = replaceHidden(text, (character) => "\uFFFD".repeat(character.length));
  return visible.replaceAll("\t", " ").replace(control, "\uFFFD").replace(runnerCommand, "#\uFFFD");
}

/** Like `printable`, but for the start of a line, where GitHub Actions would interpret two colons as a command. */
export function printableLine(text: string): string {
  return printable(text).replace(/^\s*(?=::)/, "'");
}

/** Escapes the characters in JSON text that `printable` would replace. The parsed value does not change. */
export function printableJson(json: string): string {
  return replaceHidden(json, escapeOf)
    .replace(control, (character) => (character === "\n" ? character : escapeOf(character)))
    .replace(runnerCommand, `#${escapeOf("#")}`);
}

function escapeOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
