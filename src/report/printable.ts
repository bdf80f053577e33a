/** Replaces characters that could change what a terminal, a browser or a CI runner shows. */

import { replaceHidden } from "../model/text/hidden-characters.ts";

// `replaceHidden` replaces bidirectional control characters.
// oxlint-disable-next-line no-control-regex -- these characters are the point
const control = /[\u0000-\u001F\u007F-\u009F]/g;

// Commands that runners recognize in the middle of a line: `##[error]`, `##vso[…]`.
const runnerCommand = /##(?=[a-z]*\[)/gi;

/**
 * A text that is safe to print anywhere, on one line and of the same length: without control characters, invisible characters
 * and commands of runners.
 */
export function printable(text: string): string {
  const visible = replaceHidden(text, (character) => "\uFFFD".repeat(character.length));
  return visible.replaceAll("\t", " ").replace(control, "\uFFFD").replace(runnerCommand, "#\uFFFD");
}

/** `printable` for the start of a line, where GitHub Actions would read two colons as a command. */
export function printableLine(text: string): string {
  return printable(text).replace(/^\s*(?=::)/, "'");
}

/** A JSON text with the same value, in which the same characters are escaped. */
export function printableJson(json: string): string {
  return replaceHidden(json, escapeOf)
    .replace(control, (character) => (character === "\n" ? character : escapeOf(character)))
    .replace(runnerCommand, `#${escapeOf("#")}`);
}

function escapeOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
