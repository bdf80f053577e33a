// Control characters could change what a terminal shows. Direction characters could change the order in which text is read.
// oxlint-disable-next-line no-control-regex -- these characters are the point
const unprintable = /[\u0000-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g;

/**
 * A text that is safe to print anywhere, on one line and of the same length. Replaces control characters, and the
 * marker that GitHub Actions reads as a command in the middle of a line.
 */
export function printable(text: string): string {
  return text.replaceAll("\t", " ").replace(unprintable, "\uFFFD").replaceAll("##[", "#\uFFFD[");
}

/** `printable` for a text at the start of a line, where GitHub Actions reads two colons as a command. */
export function printableLine(text: string): string {
  return printable(text).replace(/^\s*(?=::)/, "'");
}
