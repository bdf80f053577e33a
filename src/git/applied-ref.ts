/** Moves the refs that record the last applied commit. */

import { appliedRefs } from "../model/settings.ts";
import { git } from "./git.ts";

/** The full ids of the commits that a ref points to before and after a move. If `from` is `null`, the ref must not exist yet. */
export interface Move {
  readonly from: string | null;
  readonly to: string;
}

/**
 * Moves a ref in a directory's repository if the ref still points to `from`. Returns git's error message if the move fails.
 * Throws if the ref is not below `appliedRefs`.
 */
export async function moveAppliedRef(
  dir: string,
  ref: string,
  { from, to }: Move,
): Promise<string | undefined> {
  if (!ref.startsWith(appliedRefs))
    throw new Error(`${ref} is not under ${appliedRefs}, so it is never moved`);
  const expected = from ?? "0".repeat(to.length);
  const log = ["--create-reflog", "-m", "datahub-gitops: applied"];
  // Without `--no-deref`, git would follow a symbolic ref and move its target branch.
  const answer = await git(dir, ["update-ref", "--no-deref", ...log, ref, to, expected]);
  if ("output" in answer) return undefined;
  return answer.failure.status === "ENOENT" ? "git is not installed" : answer.failure.words;
}
