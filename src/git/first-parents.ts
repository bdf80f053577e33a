import { idOf } from "./objects.ts";

/** A longer line is asked of git itself. */
const maxLine = 100;

/**
 * The first-parent line from one commit to another, the oldest first, without the one where it begins. `undefined` where that is not
 * one of the last hundred commits before the other. Both may be names. Throws `GitError`.
 */
export async function firstParentLine(
  dir: string,
  from: string,
  to: string,
): Promise<readonly string[] | undefined> {
  const [first, last] = await Promise.all([idOf(dir, from), idOf(dir, to)]);
  const line: string[] = [];
  for (let commit = last; commit !== first; commit = await idOf(dir, `${commit}^`)) {
    if (commit === undefined || line.length === maxLine) return undefined;
    line.push(commit);
  }
  return first === undefined ? undefined : line.toReversed();
}
