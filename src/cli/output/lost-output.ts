import { RunError } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { say } from "./say.ts";

/** Throws `RunError` where stdout is known to be lost, unless its reader is gone. `outcome` says what that means. */
export function requireStdout(outcome: string, { stdout }: Io): void {
  const loss = stdout.loss();
  if (loss && !loss.isClosed) throw new RunError(`${outcome}: ${lossText(loss.reason)}`, "unwritable-output");
}

/** Waits until all output is out. Says on stderr that stdout is lost; the exit code is 1 where either is, unless nobody reads it. */
export async function exitCodeOfOutputs(io: Io): Promise<ExitCode> {
  await io.stdout.flush();
  const lost = io.stdout.loss();
  if (lost && !lost.isClosed) say(lossText(lost.reason), io);
  await io.stderr.flush();
  const hasLost = [lost, io.stderr.loss()].some((loss) => loss?.isClosed === false);
  return hasLost ? exitCodes.error : exitCodes.done;
}

function lossText(reason: string): string {
  return `cannot write to stdout: ${reason}`;
}
