/** Prints the text of the demo between the outputs of its commands. */

import { paintWith } from "../../report/text/paint.ts";
import { wrapText } from "../../report/text/wrap.ts";
import { hasColor, type Io } from "../io.ts";

/** The kinds of text in the demo. */
export interface Narration {
  heading(text: string): void;
  /** Text that is wrapped to the width of the terminal. */
  paragraph(text: string): void;
  points(texts: readonly string[]): void;
  /** Lines that are printed unchanged but indented. */
  quote(text: string): void;
  /** A command line, whose output follows. */
  command(text: string): void;
}

const maxWidth = 80;

/** A narration on stdout. */
export function narrationOn(io: Pick<Io, "stdout" | "env">): Narration {
  const paint = paintWith(hasColor(io.stdout, io.env));
  const width = Math.min(io.stdout.columns, maxWidth);
  let isFirst = true;
  // The blank line comes first, because the output of a command ends without one.
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
