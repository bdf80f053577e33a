/** Pushes a clone's recorded runs to a remote, and places them after runs that other clones have already pushed. */

import { runRefs } from "../model/settings.ts";
import { isAncestor } from "./commit.ts";
import { outputOf } from "./fault.ts";
import { textsOf } from "./git.ts";
import {
  chainsAt,
  moveTips,
  retryOnConflict,
  type RunContent,
  type RunTips,
  runTips,
  tipsIn,
  appendRuns,
} from "./runs.ts";

/**
 * Pushes a repository's runs to a remote. Runs that other clones have pushed are kept. The local runs are appended to them and
 * get new ids, because a commit's id depends on its parent. Returns whether the remote lacked any runs. Throws `GitError` if a
 * git command fails.
 */
export async function pushRuns(dir: string, remote: string, keep: number): Promise<boolean> {
  const read = async (): Promise<RunTips> =>
    tipsIn((await outputOf(dir, ["ls-remote", remote, ...Object.values(runRefs)])).toString());
  return await retryOnConflict(read, async (there) => {
    const here = await afterOthers(dir, { remote, there, keep });
    if (here === undefined) return false;
    const leases = sides.map((each) => `--force-with-lease=${runRefs[each]}:${there[each] ?? ""}`);
    const pushed = sides.flatMap((each) =>
      here[each] === undefined ? [] : [`${here[each]}:${runRefs[each]}`],
    );
    await outputOf(dir, ["push", "--quiet", "--atomic", ...leases, remote, ...pushed]);
    return true;
  });
}

const sides = ["newest", "earlier"] as const;

interface Others {
  readonly remote: string;
  /** The tips of the remote's run refs. */
  readonly there: RunTips;
  readonly keep: number;
}

/**
 * Appends the local runs that the remote lacks to the remote's runs, and returns the new tips; `undefined` if the remote lacks no
 * runs.
 */
async function afterOthers(dir: string, { remote, there, keep }: Others): Promise<RunTips | undefined> {
  const here = await runTips(dir);
  if (here.newest === undefined || here.newest === there.newest) return undefined;
  if (there.newest === undefined) return here;
  const named = sides.flatMap((side) => (there[side] === undefined ? [] : [runRefs[side]]));
  await outputOf(dir, [
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--refmap=",
    remote,
    ...named,
  ]);
  const isFollowed = await Promise.all(tipsOf(here).map((tip) => isAncestor(dir, there.newest ?? "", tip)));
  if (isFollowed.includes(true)) return here;
  const lacked = await Promise.all(tipsOf(here).map((tip) => missing(dir, tip, there)));
  const contents = lacked.flat();
  if (contents.length === 0) {
    await moveTips(dir, here, there);
    return undefined;
  }
  const after = await appendRuns(dir, await chainsAt(dir, there, keep), contents, keep);
  await moveTips(dir, here, after);
  return after;
}

/** Returns the runs up to `tip` that the remote lacks, oldest first. */
async function missing(dir: string, tip: string, there: RunTips): Promise<readonly RunContent[]> {
  const range = [tip, "--not", ...tipsOf(there)];
  const listed = await outputOf(dir, ["rev-list", "--reverse", "--format=%T %ct%n%B%x00", ...range]);
  return textsOf(listed).map(contentIn);
}

/** Returns the tips of the chains that exist, the earlier chain first. */
function tipsOf({ newest, earlier }: RunTips): readonly string[] {
  return [earlier, newest].filter((tip) => tip !== undefined);
}

// For each commit, git prints the lines `commit <id>` and `<tree> <seconds>`, followed by the message.
function contentIn(listed: string): RunContent {
  const [, about = "", ...message] = listed.trim().split("\n");
  const [tree = "", seconds = ""] = about.split(" ");
  return { report: { tree }, at: Number(seconds), message: `${message.join("\n")}\n` };
}
