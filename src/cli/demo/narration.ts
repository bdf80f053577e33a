/** Prints the explanations between the commands of the demo. */

import { paintWith } from "../../report/text/paint.ts";
import { wrapText } from "../../report/text/wrap.ts";
import { hasColor, type Io } from "../io.ts";

/** Prints headings, paragraphs and other parts of the demo's explanations. */
export interface Narration {
  heading(text: string): void;
  /** Prints text wrapped to the terminal's width. */
  paragraph(text: string): void;
  points(texts: readonly string[]): void;
  /** Prints lines with indentation, without wrapping them. */
  quote(text: string): void;
  /** Prints a command line. The command's output follows. */
  command(text: string): void;
}

const maxWidth = 80;

/** Creates a narration that prints to stdout. */
export function narrationOn(io: Pick<Io, "stdout" | "env">): Narration {
  const paint = paintWith(hasColor(io.stdout, io.env));
  const width = Math.min(io.stdout.columns, maxWidth);
  let isFirst = true;
  // Each block begins with a blank line, because command output does not end with one.
  const block = (text: string): void => {
    io.stdout.write(`${isFirst ? "" : "\n"}${text}\n`);
    isFirst = false;
  };
  return {
    heading: (text) => block(paint("bold", `== ${text}`)),
    paragraph: (text) => block(wrapText(text, width, "")),
    points: (texts) => block(texts.map((text) => wrapText(`- ${text}`, width, "  ")).join("\n")),
    quote: (text) => block(text.replaceAll(/^(?=.)/gm, "    ")),
    command: (text) => block(`${paint("dim", `$ ${text}`)}\n`),
  };
}
