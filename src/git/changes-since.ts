import { isShallow, mergeBaseOf, type TreeEntry, typeOfMode } from "./commit.ts";
import { GitError, outputOf } from "./fault.ts";
import { textsOf } from "./git.ts";

/** What a commit changed below a directory, compared with the one before it on the line. */
export interface CommitChanges {
  readonly commit: string;
  /** The files, links and submodules that it has otherwise, as it has them. */
  readonly changed: readonly TreeEntry[];
  /** The paths that it no longer has. */
  readonly removed: readonly string[];
}

/** Where HEAD and a commit went apart, and the commits on HEAD's first-parent line since, the oldest first. */
export interface LineSince {
  readonly fork: string;
  readonly later: readonly string[];
}

/** HEAD's first-parent line since its merge base with a commit. Throws `GitError`, also where a shallow clone lacks a part of it. */
export async function lineSince(dir: string, commit: string): Promise<LineSince> {
  // Mostly the commit is on the line itself, and one question is enough.
  const straight = await firstParents(dir, ["HEAD", `^${commit}^@`]).catch(() => undefined);
  if (straight && idOf(straight[0]) === commit) return { fork: commit, later: straight.slice(1).map(idOf) };
  const fork = await mergeBaseOf(dir, commit);
  const listed = await firstParents(dir, [`${fork}..HEAD`]);
  const isCut = listed[0]?.includes(" ") === false && (await isShallow(dir));
  if (isCut) throw new GitError({ fault: "no-merge-base", isShallow: true });
  return { fork, later: listed.map(idOf) };
}

// For each commit, the oldest first, its id and those of its parents.
async function firstParents(dir: string, range: readonly string[]): Promise<readonly string[]> {
  const output = await outputOf(dir, ["rev-list", "--first-parent", "--parents", "--reverse", ...range]);
  return output
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

function idOf(line = ""): string {
  return line.split(" ")[0] ?? "";
}

/** What each commit of a line, or of one file, changed below a directory since the one before; the first since the fork. */
export async function changesOn(
  dir: string,
  { fork, later }: LineSince,
  file?: string,
): Promise<readonly CommitChanges[]> {
  if (later.length === 0) return [];
  const pairs = later.map((id, index) => `${id} ${later[index - 1] ?? fork}\n`).join("");
  const path = file === undefined ? "." : `:(literal)${file}`;
  const options = ["-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--relative", "--stdin"];
  const differences = await outputOf(dir, ["diff-tree", ...options, "--", path], pairs);
  return commitsIn(later, textsOf(differences));
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
