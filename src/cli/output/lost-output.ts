import { RunError } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { printError } from "./messages.ts";

/** Throws `RunError` where stdout is known to be lost, unless its reader is gone. `outcome` is what that means. */
export function requireStdout(outcome: string, { stdout }: Io): void {
  const loss = stdout.loss();
  if (loss && !loss.isClosed) throw new RunError(`${outcome}: ${lossText(loss.reason)}`, "unwritable-output");
}

/**
 * Waits until all output is out. If stdout is lost, prints an error and answers exit code 1, unless its reader is gone.
 * Notes that are lost on stderr do not change the exit code.
 */
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
