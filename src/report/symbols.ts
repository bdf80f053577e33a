import { styleText } from "node:util";

/** How a piece of a plan is marked. */
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

/** Marks a text; without colour it is the text itself. */
export type Paint = (style: Style, text: string) => string;

/** A paint with or without colour. */
export function paintWith(colour: boolean): Paint {
  return colour
    ? (style, text) => styleText(formats[style], text, { validateStream: false })
    : (_, text) => text;
}

/** "1 addition", "2 additions". */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
