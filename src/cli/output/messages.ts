/** Prints notes and errors to stderr. In GitHub Actions, errors are also printed as annotations. */

import { printable, printableLine } from "../../report/printable.ts";
import { wrapText } from "../../report/text/wrap.ts";
import type { Io } from "../io.ts";
import { annotateFailure } from "./annotate.ts";

/** Prints a note on one line. */
export function note(text: string, io: Io): void {
  io.stderr.write(`${printableLine(text)}\n`);
}

/** Prints an error. In GitHub Actions, also prints an annotation. */
export function printError(message: string, io: Io): void {
  const line = printable(`error: ${message}`);
  io.stderr.write(`${io.stderr.isTTY ? wrapText(line, io.stderr.columns) : line}\n`);
  annotateFailure(message, io);
}
