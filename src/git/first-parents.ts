/** Walks the first-parent history from one commit back to another. */

import { commitIdOf } from "./objects.ts";

/** The maximum number of commits to walk. For longer histories, callers use git commands instead. */
const maxLine = 100;

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
    if (commit === undefined || line.length === maxLine) return undefined;
    line.push(commit);
  }
  return first === undefined ? undefined : line.toReversed();
}
