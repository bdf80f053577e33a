import { resolve } from "node:path";
import { fastForward, upstreamOf } from "../../git/fast-forward.ts";
import { GitError } from "../../git/fault.ts";
import type { Failure } from "../../report/document/document.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { printError } from "../output/messages.ts";
import { gitWords } from "../run/runs.ts";

/** Throws `UsageError` where the branch that is checked out has no upstream to follow. */
export async function requireUpstream(dir: string, { cwd }: Io): Promise<void> {
  try {
    if (await upstreamOf(resolve(cwd, dir))) return;
  } catch (error) {
    if (error instanceof GitError) throw new UsageError(`--pull: ${gitWords(error.fault)}`);
    throw error;
  }
  throw new UsageError(
    "--pull: the branch that is checked out has no upstream; set it with: git branch --set-upstream-to=<remote>/<branch>",
  );
}

/**
 * Fast-forwards the work tree to its upstream. Where that fails it says why, and the work tree stays as it is. An apply moves
 * refs of its own, which those of the remote must not replace: only a round that reads fetches them.
 */
export async function followUpstream(dir: string, reads: boolean, io: Io): Promise<Failure | undefined> {
  try {
    await fastForward(resolve(io.cwd, dir), { withOthers: reads, signal: io.interrupted });
    return undefined;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (io.interrupted.aborted) return undefined;
    const message = `cannot pull: ${gitWords(error.fault)}; the work tree stays as it is`;
    printError(message, io);
    return { code: "pull", message };
  }
}
