/** Walks from one commit back to another along first parents. */

import { commitIdOf } from "./objects.ts";

/** The maximum number of commits to walk. Callers ask git itself about longer lines. */
const maxLine = 100;

/**
 * Returns the first-parent line after `from` up to `to`, the oldest first. `undefined` if `from` is not among the last hundred
 * first parents of `to`. Both arguments may be names. Throws `GitError`.
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
