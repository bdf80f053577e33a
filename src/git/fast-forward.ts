import { isAncestor } from "./commit.ts";
import { GitError, outputOf, unreadable } from "./fault.ts";
import { git } from "./git.ts";

/** The branch of a remote that the branch which is checked out follows. */
export interface Upstream {
  /** The name of the remote. */
  readonly remote: string;
  /** The full name of the branch there. */
  readonly branch: string;
  /** The ref that tracks it here. */
  readonly ref: string;
}

/** What the branch that is checked out follows; `undefined` where there is no such branch, or it follows none. Throws `GitError`. */
export async function upstreamOf(dir: string): Promise<Upstream | undefined> {
  await outputOf(dir, ["rev-parse", "--git-dir"]);
  const head = await git(dir, ["symbolic-ref", "--quiet", "HEAD"]);
  if ("failure" in head) return undefined;
  const format = "--format=%(upstream:remotename)%00%(upstream:remoteref)%00%(upstream)%00";
  const listed = await outputOf(dir, ["for-each-ref", format, head.output.toString().trim()]);
  const [remote = "", branch = "", ref = ""] = listed.toString().split("\0");
  return ref === "" ? undefined : { remote, branch, ref };
}

/** How the upstream is fetched. */
interface Fetching {
  /** Whether other refs of the remote are fetched, too, as the configuration says. They replace those of here. */
  readonly withOthers: boolean;
  readonly signal: AbortSignal;
}

/**
 * Fetches the upstream, and fast-forwards the work tree to it. Runs no hook. Throws `GitError` where git cannot, and where both
 * sides have commits that the other lacks; then the work tree stays as it is.
 */
export async function fastForward(dir: string, { withOthers, signal }: Fetching): Promise<void> {
  const upstream = await upstreamOf(dir);
  if (!upstream) throw new GitError(unreadable("the branch that is checked out has no upstream"));
  const { remote, branch, ref } = upstream;
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"];
  await outputOf(dir, [...fetch, remote, ...(withOthers ? [] : [branch])], undefined, signal);
  if (await isAncestor(dir, ref, "HEAD")) return;
  if (!(await isAncestor(dir, "HEAD", ref))) {
    const name = ref.replace(/^refs\/(?:remotes|heads)\//, "");
    throw new GitError(unreadable(`${name} and the branch that is checked out have diverged`));
  }
  await outputOf(dir, ["merge", "--quiet", "--ff-only", ref]);
}
