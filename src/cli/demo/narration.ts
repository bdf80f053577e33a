import { paintWith } from "../../report/symbols.ts";
import { hasColour, type Io } from "../io.ts";

/** Tells a story on stdout, between the results that commands print there. */
export interface Narration {
  heading(text: string): void;
  /** A paragraph, broken to the width of the terminal. */
  say(text: string): void;
  points(texts: readonly string[]): void;
  /** Lines that are shown as they are, indented. */
  quote(text: string): void;
  /** The command that a reader would type for what follows. */
  command(text: string): void;
}

const widest = 80;

/** A narration on stdout. */
export function narrationOn(io: Pick<Io, "stdout" | "env">): Narration {
  const paint = paintWith(hasColour(io.stdout, io.env));
  const width = Math.min(io.stdout.columns, widest);
  let isFirst = true;
  // The blank line comes before, because what a command prints ends without one.
  const block = (text: string): void => {
    io.stdout.write(`${isFirst ? "" : "\n"}${text}\n`);
    isFirst = false;
  };
  return {
    heading: (text) => block(paint("bold", `== ${text}`)),
    say: (text) => block(wrapped(text, width)),
    points: (texts) => block(texts.map((text) => `- ${wrapped(text, width - 2, "  ")}`).join("\n")),
    quote: (text) => block(text.replaceAll(/^(?=.)/gm, "    ")),
    command: (text) => block(`${paint("dim", `$ ${text}`)}\n`),
  };
}

/** A text broken at its spaces into lines of at most `width` characters; words that are longer stay whole. */
export function wrapped(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join(`\n${indent}`);
}
