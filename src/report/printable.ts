// Control characters could change what a terminal shows. Direction characters could change the order in which text is read,
// and others are not seen at all.
const unprintable =
  // oxlint-disable-next-line no-control-regex -- these characters are the point
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g;

// Commands of runners in the middle of a line: `##[error]`, and `##vso[…]` and its like elsewhere.
const runnerCommand = /##(?=[a-z]*\[)/gi;

/**
 * A text that is safe to print anywhere, on one line and of the same length. Replaces control characters, and the
 * marker that runners read as a command in the middle of a line.
 */
export function printable(text: string): string {
  return text.replaceAll("\t", " ").replace(unprintable, "\uFFFD").replace(runnerCommand, "#\uFFFD");
}

/** `printable` for a text at the start of a line, where GitHub Actions reads two colons as a command. */
export function printableLine(text: string): string {
  return printable(text).replace(/^\s*(?=::)/, "'");
}

/** A JSON text with the same value, in which nothing steers what shows it. */
export function printableJson(json: string): string {
  return json
    .replace(unprintable, (character) => (character === "\n" ? character : escapeOf(character)))
    .replace(runnerCommand, `#${escapeOf("#")}`);
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
