/** Makes a command fail if its stdout is lost: with an error before anything is changed, or with an exit code at the end. */

import { RunError } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { printError } from "./messages.ts";

/** Throws `RunError` if stdout is known to be lost, unless the reader closed it. The message begins with `outcome`. */
export function requireStdout(outcome: string, { stdout }: Io): void {
  const loss = stdout.loss();
  if (loss && !loss.isClosed) throw new RunError(`${outcome}: ${lossText(loss.reason)}`, "unwritable-output");
}

/** Waits until all output is written. Returns 1 if stdout is lost, unless the reader closed it. A lost stderr is not an error. */
export async function exitCodeOfOutputs(io: Io): Promise<ExitCode> {
  await io.stdout.flush();
  const lost = io.stdout.loss();
  const isMissing = lost?.isClosed === false;
  if (isMissing) printError(lossText(lost.reason), io);
  await io.stderr.flush();
  return isMissing ? exitCodes.error : exitCodes.done;
}

function lossText(reason: string): string {
  return `cannot write to stdout: ${reason}`;
}
