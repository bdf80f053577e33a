/** Writes text to stdout, and shows long text in a pager, which is selected in the same way as in Git. */

import { displayWidth } from "../../report/text/wrap.ts";
import type { Io, Output } from "../io.ts";
import { note } from "./messages.ts";

/** Writes text to stdout, or shows it in a pager if it is longer than the screen. If interrupted, throws the reason. */
export async function writePaged(text: () => Iterable<string>, io: Io): Promise<void> {
  const pager = pagerFor(io);
  if (pager === undefined || !io.page || !isLonger(text(), io.stdout)) return writeAll(io.stdout, text());
  const fault = await io.page(pager, text());
  io.interrupted.throwIfAborted();
  if (fault === undefined) return;
  if (pager !== defaultPager) note(`cannot start the pager ${JSON.stringify(pager)}: ${fault}`, io);
  writeAll(io.stdout, text());
}

/** Writes all pieces of a string. */
export function writeAll(output: Output, pieces: Iterable<string>): void {
  for (const piece of pieces) output.write(piece);
}

// If this default pager is not installed, no message is printed.
const defaultPager = "less";

/** Returns the pager command. Returns `undefined` in CI, without a capable terminal, or if the command is empty or `cat`. */
export function pagerFor({ stdout, env }: Pick<Io, "stdout" | "env">): string | undefined {
  if (!stdout.isTTY || (env["CI"] ?? "") !== "" || env["TERM"] === "dumb") return undefined;
  const command = env["DATAHUB_GITOPS_PAGER"] ?? env["PAGER"] ?? defaultPager;
  return command.trim() === "" || command === "cat" ? undefined : command;
}

/** Whether a string and the following prompt are too long for the screen. Returns false if the terminal height is unknown. */
function isLonger(pieces: Iterable<string>, { columns, rows }: Output): boolean {
  if (rows === undefined) return false;
  let height = 0;
  for (const piece of pieces) {
    for (const line of piece.replace(/\n$/, "").split("\n")) {
      height += Math.max(1, Math.ceil(displayWidth(line) / columns));
      if (height >= rows) return true;
    }
  }
  return false;
}
