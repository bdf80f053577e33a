/** Replaces characters that could manipulate the output of a terminal, a browser or a CI runner. */

import { replaceHidden } from "../model/text/hidden-characters.ts";

// `replaceHidden` replaces bidirectional control characters.
// oxlint-disable-next-line no-control-regex -- these characters are the point
const control = /[\u0000-\u001F\u007F-\u009F]/g;

// Commands that runners recognize in the middle of a line: `##[error]`, `##vso[…]`.
const runnerCommand = /##(?=[a-z]*\[)/gi;

/**
 * Makes a text safe to print anywhere, on one line and with the same length. Replaces control characters, invisible characters and
 * runner commands.
 */
export function printable(text: string): string {
  const visible = replaceHidden(text, (character) => "\uFFFD".repeat(character.length));
  return visible.replaceAll("\t", " ").replace(control, "\uFFFD").replace(runnerCommand, "#\uFFFD");
}

/** Like `printable`, but for the start of a line, where GitHub Actions would read two colons as a command. */
export function printableLine(text: string): string {
  return printable(text).replace(/^\s*(?=::)/, "'");
}

/** Escapes the same characters in a JSON text without changing its value. */
export function printableJson(json: string): string {
  return replaceHidden(json, escapeOf)
    .replace(control, (character) => (character === "\n" ? character : escapeOf(character)))
    .replace(runnerCommand, `#${escapeOf("#")}`);
}

function escapeOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
