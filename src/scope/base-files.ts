import { readFileSync } from "node:fs";
import { join } from "node:path";
import { displayName, isHidden, isManifest } from "../manifests/catalog-files.ts";
import { type Desired, settingsFiles } from "../manifests/desired-state.ts";
import { isSameContent, linkOnTheWay, type TreeEntry, treeOf } from "../git/commit.ts";
import { leftOutOf } from "../git/work-tree.ts";
import { forEachYielding } from "../manifests/yaml/for-each-yielding.ts";
import { type BaseFault, isOpaque } from "./fault.ts";

/** The manifest files of a commit: the names of those that are the same now, and the others. */
export interface BaseFiles {
  readonly unchanged: ReadonlySet<string>;
  readonly changed: readonly BaseFile[];
}

/** A manifest file of a commit, with its place now, where there may be none, and what it is called in messages. */
interface BaseFile extends TreeEntry {
  readonly file: string;
  readonly name: string;
}

interface Now {
  readonly cwd: string;
  readonly settings?: string | undefined;
  readonly declared: Desired;
}

/** The manifest files of a directory in a commit, compared with the files there now. */
export async function baseFiles(root: string, commit: string, now: Now): Promise<BaseFiles | BaseFault> {
  const listed = await manifestsIn(root, commit, now);
  if ("fault" in listed) return listed;
  const trusted = soundNames(now.declared);
  const unchanged = new Set<string>();
  const changed: BaseFile[] = [];
  await forEachYielding(listed.files, (file) => {
    if (trusted.has(file.name) && isUnchanged(file)) unchanged.add(file.name);
    else changed.push(file);
  });
  const gone = changed.filter(({ name }) => !now.declared.names.has(name));
  return (await leftOut(root, gone)) ?? { unchanged, changed };
}

/** The manifest files of a commit. What a link or submodule leads to is not in it. */
async function manifestsIn(
  root: string,
  commit: string,
  { cwd, settings }: Now,
): Promise<{ readonly files: readonly BaseFile[] } | BaseFault> {
  const [way, listed] = await Promise.all([linkOnTheWay(root), treeOf(root, commit)]);
  if ("fault" in way) return way;
  if (way.link !== undefined) return { fault: "link", file: displayName(way.link, cwd), what: "link" };
  if ("fault" in listed) return listed;
  if (listed.tree.length === 0) return { fault: "without-catalog", dir: displayName(root, cwd) };
  const skip = settingsFiles(root, { cwd, settings });
  const seen = listed.tree
    .filter(({ path }) => !isHidden(path))
    .map((entry) => ({ ...entry, file: join(root, entry.path) }))
    .filter(({ file }) => !skip.has(file))
    .map((entry) => ({ ...entry, name: displayName(entry.file, cwd) }));
  const opaque = seen.find(isOpaque);
  if (opaque) return { fault: "link", file: opaque.name, what: opaque.type };
  return { files: seen.filter(({ path, type }) => type === "file" && isManifest(path)) };
}

/** The files of which everything is known that they declare. */
function soundNames({ names, problems }: Desired): ReadonlySet<string> {
  const errors = problems.filter(({ severity }) => severity === "error");
  const broken = new Set(errors.map(({ origin }) => origin?.file));
  return new Set([...names].filter((name) => !broken.has(name)));
}

// git is not asked what has changed: it believes its index, which may be told to assume that nothing has.
function isUnchanged(entry: BaseFile): boolean {
  try {
    return isSameContent(readFileSync(entry.file), entry);
  } catch {
    return false;
  }
}

/** A fault when files are gone only because the work tree is sparse: what they declare was not removed. */
async function leftOut(root: string, gone: readonly BaseFile[]): Promise<BaseFault | undefined> {
  if (gone.length === 0) return undefined;
  const leftOutNow = await leftOutOf(root);
  if ("fault" in leftOutNow) return leftOutNow;
  const sparse = gone.filter(({ path }) => leftOutNow.paths.has(path));
  const [first] = sparse;
  return first && { fault: "sparse", file: first.name, count: sparse.length };
}
