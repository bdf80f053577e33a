/** Checks that the branch has an upstream for `watch --pull`, and keeps the work tree up to date with the upstream. */

import { resolve } from "node:path";
import { fastForward, upstreamOf } from "../../git/fast-forward.ts";
import { GitError } from "../../git/fault.ts";
import type { Failure } from "../../report/document/document.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { printError } from "../output/messages.ts";
import { gitFaultText } from "../run/kept-runs.ts";

/** Throws `UsageError` if the current branch has no upstream. */
export async function requireUpstream(dir: string, { cwd }: Io): Promise<void> {
  try {
    if (await upstreamOf(resolve(cwd, dir))) return;
  } catch (error) {
    if (error instanceof GitError) throw new UsageError(`--pull: ${gitFaultText(error.fault)}`);
    throw error;
  }
  throw new UsageError(
    "--pull: the current branch has no upstream; set it with: git branch --set-upstream-to=<remote>/<branch>",
  );
}

/**
 * Fast-forwards the work tree to its upstream. If that fails, prints and returns the reason, and leaves the work tree unchanged.
 * Other refs are fetched only in read-only rounds, because remote refs must not overwrite refs that an apply moves.
 */
export async function followUpstream(dir: string, reads: boolean, io: Io): Promise<Failure | undefined> {
  try {
    await fastForward(resolve(io.cwd, dir), { withOthers: reads, signal: io.interrupted });
    return undefined;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (io.interrupted.aborted) return undefined;
    const message = `cannot pull: ${gitFaultText(error.fault)}; the work tree is unchanged`;
    printError(message, io);
    return { code: "pull", message };
  }
}
