import { RunError } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { printError } from "./messages.ts";

/** Throws `RunError` where stdout is known to be lost, unless its reader is gone. `outcome` is what that means. */
export function requireStdout(outcome: string, { stdout }: Io): void {
  const loss = stdout.loss();
  if (loss && !loss.isClosed) throw new RunError(`${outcome}: ${lossText(loss.reason)}`, "unwritable-output");
}

/** Waits for all output. A lost stdout is an error (1) unless its reader is gone; a lost stderr is none. */
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
