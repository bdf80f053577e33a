import { styleText } from "node:util";

/** What a piece of text is. */
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

/** Formats a text for a terminal. */
export type Paint = (style: Style, text: string) => string;

/** A paint with or without color. Without color it returns the text unchanged. */
export function paintWith(color: boolean): Paint {
  return color
    ? (style, text) => styleText(formats[style], text, { validateStream: false })
    : (_, text) => text;
}
