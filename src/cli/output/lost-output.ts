import { RunError } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { say } from "./say.ts";

/** Throws `RunError` where stdout is known to be lost, unless its reader is gone. `outcome` says what that means. */
export function requireStdout(outcome: string, { stdout }: Io): void {
  const loss = stdout.loss();
  if (loss && !loss.isClosed) throw new RunError(`${outcome}: ${lossText(loss.reason)}`, "unwritable-output");
}

/**
 * Waits until all output is out. Says on stderr that stdout is lost, and the exit code is 1 then, unless nobody reads it.
 * Notes that are lost on stderr do not change what the exit code says of the result.
 */
export async function exitCodeOfOutputs(io: Io): Promise<ExitCode> {
  await io.stdout.flush();
  const lost = io.stdout.loss();
  const isMissing = lost?.isClosed === false;
  if (isMissing) say(lossText(lost.reason), io);
  await io.stderr.flush();
  return isMissing ? exitCodes.error : exitCodes.done;
}

function lossText(reason: string): string {
  return `cannot write to stdout: ${reason}`;
}
