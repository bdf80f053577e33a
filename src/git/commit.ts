/**
 * Looks up commits (full ids, ancestry, first parents, merge bases), detects shallow clones, and finds symbolic links in the path
 * to a directory.
 */

import { lstatSync, realpathSync } from "node:fs";
import { dirname, sep } from "node:path";
import { faultOf, GitError, outputOf } from "./fault.ts";
import { git } from "./git.ts";
import { commitIdOf, objectOf } from "./objects.ts";

/** Returns the full id of the commit that a ref points to. Throws `GitError` if the ref is missing or ambiguous. */
export async function commitOf(dir: string, ref: string): Promise<string> {
  const commit = await commitIdOf(dir, ref);
  if (commit === undefined) throw await missing(dir);
  // A full id cannot be ambiguous.
  const named = commit === ref ? [] : await refsNamed(dir, ref);
  if (named.length <= 1) return commit;
  throw new GitError({ fault: "ambiguous", names: named.toSorted() });
}

/**
 * Returns the refs that a name can refer to. Git uses the first of these refs (see git-rev-parse). Returns an empty list for a
 * revision such as `main~1`.
 */
async function refsNamed(dir: string, name: string): Promise<readonly string[]> {
  if (/[~^:]|@\{/.test(name)) return [];
  const below = ["refs", "refs/tags", "refs/heads", "refs/remotes"].map((place) => `${place}/${name}`);
  const names = name.startsWith("refs/") ? [name, ...below] : below;
  const found = await Promise.all(names.map((each) => objectOf(dir, each)));
  return names.filter((_, index) => "id" in (found[index] ?? {}));
}

/** The maximum number of first parents to look up one at a time. For longer histories, git searches the history itself. */
const maxSteps = 100;

/**
 * Returns the first-parent commits after `from`, up to and including `to`, oldest first; `undefined` if `from` is not among the
 * last 100 first parents of `to`. Both arguments can be ref names. Throws `GitError` if git fails.
 */
export async function firstParentLine(
  dir: string,
  from: string,
  to: string,
): Promise<readonly string[] | undefined> {
  const [first, last] = await Promise.all([commitIdOf(dir, from), commitIdOf(dir, to)]);
  const line: string[] = [];
  for (let commit = last; commit !== first; commit = await commitIdOf(dir, `${commit}^`)) {
    if (commit === undefined || line.length === maxSteps) return undefined;
    line.push(commit);
  }
  return first === undefined ? undefined : line.toReversed();
}

/**
 * Whether `commit` is an ancestor of `of`, or the same commit. Both arguments can be ref names. Throws `GitError` if git fails.
 */
export async function isAncestor(dir: string, commit: string, of: string): Promise<boolean> {
  if (await firstParentLine(dir, commit, of)) return true;
  return "output" in (await git(dir, ["merge-base", "--is-ancestor", commit, of]));
}

/** Describes how far a commit is ahead of another commit. */
export interface Ahead {
  readonly commit: string;
  readonly count: number;
  /** Whether the other commit is an ancestor of this commit. If not, the two commits have diverged. */
  readonly isDescendant: boolean;
}

/**
 * Returns how far a commit is ahead of another commit; `undefined` if it is not ahead, or if the clone is too shallow to
 * determine this. Throws `GitError` if git fails.
 */
export async function aheadOf(dir: string, of: string, commit: string): Promise<Ahead | undefined> {
  if (await isAncestor(dir, commit, of)) return undefined;
  const isDescendant = await isAncestor(dir, of, commit);
  if (!isDescendant && (await isShallow(dir))) return undefined;
  const counted = await outputOf(dir, ["rev-list", "--count", commit, `^${of}`]);
  return { commit, count: Number(counted), isDescendant };
}

/**
 * Returns which of the given commits (full ids) are in HEAD's history. Ignores commits before `since`. Throws `GitError` if git
 * fails.
 */
export async function inHistory(
  dir: string,
  commits: Iterable<string>,
  since?: string,
): Promise<ReadonlySet<string>> {
  const sought = new Set(commits);
  const found = new Set<string>();
  let commit = await commitIdOf(dir, "HEAD");
  // The commits to find are nearly always recent.
  for (let steps = 0; commit !== undefined && steps < maxSteps && found.size < sought.size; steps += 1) {
    if (sought.has(commit)) found.add(commit);
    if (commit === since) break;
    commit = await commitIdOf(dir, `${commit}^`);
  }
  if (commit === undefined || found.size === sought.size) return found;
  const listed = await outputOf(dir, ["rev-list", "HEAD", ...(since === undefined ? [] : [`^${since}`])]);
  const history = new Set([...listed.toString().split("\n"), since]);
  return new Set([...sought].filter((each) => history.has(each)));
}

async function missing(dir: string): Promise<GitError> {
  if ((await commitIdOf(dir, "HEAD")) === undefined) {
    const any = await outputOf(dir, ["rev-list", "-n", "1", "--all"]);
    if (any.length === 0) return new GitError({ fault: "no-commits" });
  }
  return new GitError({ fault: "missing", isShallow: await isShallow(dir) });
}

/** Returns the merge base of HEAD and another commit. Throws `GitError` if there is none in this clone. */
export async function mergeBaseOf(dir: string, commit: string): Promise<string> {
  const answer = await git(dir, ["merge-base", commit, "HEAD"]);
  if ("output" in answer) return answer.output.toString().trim();
  if (answer.failure.status !== 1) throw new GitError(faultOf(answer.failure));
  throw new GitError({ fault: "no-merge-base", isShallow: await isShallow(dir) });
}

/** Returns the merge base of HEAD and the commit that a ref points to. Throws `GitError` if there is none. */
export async function forkOf(dir: string, ref: string): Promise<string> {
  const commit = await commitOf(dir, ref);
  return (await firstParentLine(dir, commit, "HEAD")) ? commit : await mergeBaseOf(dir, commit);
}

/** Whether a repository is a shallow clone, which lacks older history. */
export async function isShallow(dir: string): Promise<boolean> {
  const answer = await git(dir, ["rev-parse", "--is-shallow-repository"]);
  return "output" in answer && answer.output.toString().trim() === "true";
}

/**
 * If a directory's path contains a symbolic link inside the repository, returns that link. A commit contains such a link, but not
 * the files in the link's target.
 */
export async function linkInPath(dir: string): Promise<string | undefined> {
  if (realpathSync(dir) === dir) return undefined;
  const answer = await outputOf(dir, ["rev-parse", "--show-toplevel"]);
  const top = realpathSync(answer.toString().replace(/\r?\n$/, ""));
  return linkAbove(dir, top.endsWith(sep) ? top : `${top}${sep}`);
}

function linkAbove(path: string, top: string): string | undefined {
  const parent = dirname(path);
  if (parent === path) return undefined;
  const isInside = `${realpathSync(parent)}${sep}`.startsWith(top);
  return isInside && lstatSync(path).isSymbolicLink() ? path : linkAbove(parent, top);
}
