import { printable, printableLine } from "../../report/printable.ts";
import { wrapped } from "../../report/text/wrapped.ts";
import type { Io } from "../io.ts";
import { annotateFailure } from "./annotate.ts";

/** Prints a line to stderr. */
export function note(text: string, io: Io): void {
  io.stderr.write(`${printableLine(text)}\n`);
}

/** Prints an error to stderr, and in GitHub Actions as an annotation. */
export function printError(message: string, io: Io): void {
  const line = printable(`error: ${message}`);
  io.stderr.write(`${io.stderr.isTTY ? wrapped(line, io.stderr.columns) : line}\n`);
  annotateFailure(message, io);
}
