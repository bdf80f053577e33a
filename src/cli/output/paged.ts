import { displayWidth } from "../../report/text/wrapped.ts";
import type { Io, Output } from "../io.ts";
import { note } from "./messages.ts";

/** Writes a text to stdout, through a pager where it is longer than the screen. Throws the reason of an interruption meanwhile. */
export async function writePaged(text: () => Iterable<string>, io: Io): Promise<void> {
  const pager = pagerFor(io);
  if (pager === undefined || !io.page || !isLonger(text(), io.stdout)) return writeAll(io.stdout, text());
  const fault = await io.page(pager, text());
  io.interrupted.throwIfAborted();
  if (fault === undefined) return;
  if (pager !== usualPager) note(`cannot start the pager ${JSON.stringify(pager)}: ${fault}`, io);
  writeAll(io.stdout, text());
}

/** Writes the pieces of a text. */
export function writeAll(output: Output, pieces: Iterable<string>): void {
  for (const piece of pieces) output.write(piece);
}

// It need not be there.
const usualPager = "less";

/** The command of the pager, chosen as Git does: an empty one, and `cat`, is none. */
export function pagerFor({ stdout, env }: Pick<Io, "stdout" | "env">): string | undefined {
  if (!stdout.isTTY || (env["CI"] ?? "") !== "" || env["TERM"] === "dumb") return undefined;
  const command = env["DATAHUB_GITOPS_PAGER"] ?? env["PAGER"] ?? usualPager;
  return command.trim() === "" || command === "cat" ? undefined : command;
}

/** Whether a text and the prompt after it take more lines than a terminal has. Of one with an unknown height it is not. */
function isLonger(pieces: Iterable<string>, { columns, rows }: Output): boolean {
  if (rows === undefined) return false;
  let taken = 0;
  for (const piece of pieces) {
    for (const line of piece.replace(/\n$/, "").split("\n")) {
      taken += Math.max(1, Math.ceil(displayWidth(line) / columns));
      if (taken >= rows) return true;
    }
  }
  return false;
}
