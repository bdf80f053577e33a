import { isShallow, type NoMergeBase, type TreeEntry, typeOfMode } from "./commit.ts";
import { type GitFault, outputOr } from "./fault.ts";
import { git, textsOf } from "./git.ts";

/** What a commit changed below a directory, compared with the one before it on the line. */
export interface CommitChanges {
  readonly commit: string;
  /** The files, links and submodules that it has otherwise, as it has them. */
  readonly changed: readonly TreeEntry[];
  /** The paths that it no longer has. */
  readonly removed: readonly string[];
}

/**
 * The commits on HEAD's first-parent line that came after a commit, the oldest first, each with what it changed below a
 * directory; the first one is compared with the commit itself. A shallow clone may lack a part of the line: a fault.
 */
export async function changesSince(
  dir: string,
  commit: string,
): Promise<{ readonly commits: readonly CommitChanges[] } | GitFault | NoMergeBase> {
  const range = ["rev-list", "--first-parent", "--parents", "--reverse", `${commit}..HEAD`];
  const listed = outputOr(await git(dir, range));
  if ("fault" in listed) return listed;
  const lines = listed.output
    .toString()
    .split("\n")
    .filter((line) => line !== "");
  const [first] = lines;
  if (first === undefined) return { commits: [] };
  if (!first.includes(" ") && (await isShallow(dir))) return { fault: "no-merge-base", isShallow: true };
  const ids = lines.map((line) => line.split(" ")[0] ?? "");
  const pairs = ids.map((id, index) => `${id} ${ids[index - 1] ?? commit}\n`).join("");
  const options = ["-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--relative", "--stdin"];
  const differences = outputOr(await git(dir, ["diff-tree", ...options, "--", "."], pairs));
  return "fault" in differences ? differences : { commits: commitsIn(ids, textsOf(differences.output)) };
}

// For each commit that changed something its id, then `:100644 100644 <id before> <id> M` and a path by turns.
function commitsIn(ids: readonly string[], texts: readonly string[]): readonly CommitChanges[] {
  const found = new Map(
    ids.map((id) => [id, { changed: new Array<TreeEntry>(), removed: new Array<string>() }]),
  );
  let current = found.get(ids[0] ?? "");
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? "";
    if (!text.startsWith(":")) {
      current = found.get(text);
      continue;
    }
    at += 1;
    const path = texts[at] ?? "";
    const [, mode = "", , id = ""] = text.split(" ");
    if (mode === "000000") current?.removed.push(path);
    else current?.changed.push({ path, type: typeOfMode(mode), id });
  }
  return ids.map((commit) => ({ commit, ...(found.get(commit) ?? { changed: [], removed: [] }) }));
}
