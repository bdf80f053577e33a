/** Formats terminal text with colors and font weights. */

import { styleText } from "node:util";

/** A style, named after its meaning. */
type Style = "add" | "remove" | "change" | "dim" | "bold" | "error" | "warning";

const formats = {
  add: "green",
  remove: "red",
  change: "yellow",
  dim: "dim",
  bold: "bold",
  error: "red",
  warning: "yellow",
} as const;

/** The style for each sign. */
export const signStyles = { "+": "add", "~": "change", "-": "remove" } as const;

/** Applies a style to text for a terminal. */
export type Paint = (style: Style, text: string) => string;

/**
 * Returns the escape sequences that begin and end the style that is still open at the end of a string. Both are empty if no style
 * is open.
 */
export function openStyle(text: string): { readonly start: string; readonly end: string } {
  const at = text.lastIndexOf(escape);
  const start = at < 0 ? "" : text.slice(at, text.indexOf("m", at) + 1);
  const code = Number(start.slice(escape.length, -1));
  if (start === "" || code === ends.weight || code === ends.color) return { start: "", end: "" };
  return { start, end: `${escape}${code < 10 ? ends.weight : ends.color}m` };
}

const escape = "\u001B[";

/** The codes that reset the font weight and the color. */
const ends = { weight: 22, color: 39 };

/** Returns a paint function with or without color. Without color, the function returns the text unchanged. */
export function paintWith(color: boolean): Paint {
  return color
    ? (style, text) => styleText(formats[style], text, { validateStream: false })
    : (_, text) => text;
}
