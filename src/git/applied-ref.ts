import { appliedRefs } from "../model/settings.ts";
import { git } from "./git.ts";

/** From which commit to which a ref moves; from `null` when it must not exist yet. Both are full ids. */
export interface Move {
  readonly from: string | null;
  readonly to: string;
}

/**
 * Moves a ref of the repository of a directory, unless it was moved by someone else meanwhile. Answers with
 * git's own words when it could not be moved. Throws on a ref that is not ours.
 */
export async function moveBase(dir: string, ref: string, { from, to }: Move): Promise<string | undefined> {
  if (!ref.startsWith(appliedRefs)) throw new Error(`${ref} is not below ${appliedRefs}: it is never moved`);
  const expected = from ?? "0".repeat(to.length);
  const log = ["--create-reflog", "-m", "datahub-gitops: applied"];
  // Without `--no-deref` a symbolic ref would move its branch.
  const answer = await git(dir, ["update-ref", "--no-deref", ...log, ref, to, expected]);
  if ("output" in answer) return undefined;
  return answer.failure.status === "ENOENT" ? "git is not installed" : answer.failure.words;
}
