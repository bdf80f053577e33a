/** Checks that a watch with `--pull` has an upstream, and keeps its work tree up to date with it. */

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
 * Fast-forwards the work tree to its upstream. If that fails, prints and returns the reason, and does not change the work tree.
 * Fetches other refs only in rounds that just read, because remote refs must not replace refs that an apply moves.
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
