import { hash } from "node:crypto";
import { lstatSync, realpathSync } from "node:fs";
import { dirname, sep } from "node:path";
import { faultOf, GitError, outputOf, unreadable } from "./fault.ts";
import { git, textsOf } from "./git.ts";

/** A file, link or submodule of a commit; `path` is relative to the directory that was asked about, with `/`. */
export interface TreeEntry {
  readonly path: string;
  readonly type: "file" | "link" | "submodule";
  readonly id: string;
}

/** The full id of the commit that a ref names. Throws `GitError` where it names none, or several. */
export async function commitOf(dir: string, ref: string): Promise<string> {
  // No name of a commit begins so, but an option does.
  if (ref.startsWith("-")) throw new GitError({ fault: "missing", isShallow: false });
  const refs = isFullName(ref) ? await refsNamed(dir, ref) : undefined;
  if (refs?.length === 0) throw await missing(dir);
  const [only, another] = refs ?? [];
  if (only?.type === "commit" && !another) return only.id;
  const answer = await git(dir, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if ("failure" in answer)
    throw answer.failure.status === 1 ? await missing(dir) : new GitError(faultOf(answer.failure));
  const commit = answer.output.toString().trim();
  if (!/^[0-9a-f]+$/.test(commit)) throw new GitError({ fault: "missing", isShallow: false });
  // A full id is not a short name.
  const named = commit === ref ? [] : (refs ?? (await refsNamed(dir, ref)) ?? []);
  if (named.length <= 1) return commit;
  throw new GitError({ fault: "ambiguous", names: named.map(({ name }) => name).toSorted() });
}

/** Whether it is the full name of a ref, and not a revision beside it, such as `refs/heads/main~1`. */
function isFullName(ref: string): boolean {
  return ref.startsWith("refs/") && !/[~^:]|@\{/.test(ref);
}

interface NamedRef {
  readonly name: string;
  /** What it names: mostly a commit, or a tag that names one. */
  readonly type: string;
  readonly id: string;
}

/** The refs that a name can mean, by the rules of git-rev-parse. Git takes the first. `undefined` where git cannot tell. */
async function refsNamed(dir: string, name: string): Promise<readonly NamedRef[] | undefined> {
  const places = [
    name,
    ...["refs", "refs/tags", "refs/heads", "refs/remotes"].map((place) => `${place}/${name}`),
  ];
  const format = "--format=%(objecttype) %(objectname) %(refname)";
  const answer = await git(dir, ["for-each-ref", format, ...places]);
  if ("failure" in answer) return undefined;
  const found = answer.output.toString().split("\n").map(refOf);
  return places.flatMap((place) => found.find((each) => each.name === place) ?? []);
}

function refOf(line: string): NamedRef {
  const [type = "", id = "", name = ""] = line.split(" ");
  return { name, type, id };
}

/** Whether a commit is an ancestor of another one, or the same. Both are full ids. */
export async function isAncestor(dir: string, commit: string, of: string): Promise<boolean> {
  return "output" in (await git(dir, ["merge-base", "--is-ancestor", commit, of]));
}

async function missing(dir: string): Promise<GitError> {
  const head = await git(dir, ["rev-parse", "--is-shallow-repository", "--verify", "--quiet", "HEAD"]);
  if ("output" in head)
    return new GitError({ fault: "missing", isShallow: head.output.toString().startsWith("true") });
  const any = await outputOf(dir, ["rev-list", "-n", "1", "--all"]);
  if (any.length === 0) return new GitError({ fault: "no-commits" });
  return new GitError({ fault: "missing", isShallow: await isShallow(dir) });
}

/** The commit from which HEAD and another commit went apart. Throws `GitError` where this clone knows of none. */
export async function mergeBaseOf(dir: string, commit: string): Promise<string> {
  const answer = await git(dir, ["merge-base", commit, "HEAD"]);
  if ("output" in answer) return answer.output.toString().trim();
  if (answer.failure.status !== 1) throw new GitError(faultOf(answer.failure));
  throw new GitError({ fault: "no-merge-base", isShallow: await isShallow(dir) });
}

/** The commit from which HEAD and the commit that a ref names went apart. Throws `GitError` where there is none. */
export async function forkOf(dir: string, ref: string): Promise<string> {
  return await mergeBaseOf(dir, await commitOf(dir, ref));
}

/** Whether a repository lacks a part of its history. */
export async function isShallow(dir: string): Promise<boolean> {
  const answer = await git(dir, ["rev-parse", "--is-shallow-repository"]);
  return "output" in answer && answer.output.toString().trim() === "true";
}

/** All entries below a directory in a commit; none where the commit has no such directory. */
export async function treeOf(dir: string, commit: string): Promise<readonly TreeEntry[]> {
  return textsOf(await outputOf(dir, ["ls-tree", "-r", "-z", commit])).map(entryOf);
}

/** A file of a commit with its content. */
interface CommittedFile {
  readonly entry: TreeEntry;
  readonly bytes: Buffer;
}

/** A file of a directory in a commit; `undefined` where the commit has no such file, or a link in its place. */
export async function fileAt(
  dir: string,
  commit: string,
  name: string,
): Promise<{ readonly file: CommittedFile | undefined; readonly isLink?: boolean }> {
  const listed = await outputOf(dir, ["ls-tree", "-z", commit, "--", `./${name}`]);
  const [entry] = textsOf(listed).map(entryOf);
  if (entry?.type !== "file") return { file: undefined, isLink: entry !== undefined };
  const [bytes] = await blobsOf(dir, [entry]);
  return { file: bytes && { entry, bytes } };
}

/** What git keeps under a mode. */
export function typeOfMode(mode: string): TreeEntry["type"] {
  return mode === "120000" ? "link" : mode === "160000" ? "submodule" : "file";
}

// `100644 blob 5716ca5987cbf97d6bb54920bea6adde242d87e6<tab>tags.yaml`
function entryOf(line: string): TreeEntry {
  const tab = line.indexOf("\t");
  const [mode = "", , id = ""] = line.slice(0, tab).split(" ");
  return { path: line.slice(tab + 1), type: typeOfMode(mode), id };
}

/** The contents of files of a commit, in their order, as they were committed. */
export async function blobsOf(dir: string, files: readonly TreeEntry[]): Promise<readonly Buffer[]> {
  if (files.length === 0) return [];
  const input = files.map(({ id }) => `${id}\n`).join("");
  return blobsIn(await outputOf(dir, ["cat-file", "--batch"], input), files);
}

// For each file `<id> blob <size>\n<bytes>\n`, or `<id> missing\n`.
function blobsIn(output: Buffer, files: readonly TreeEntry[]): readonly Buffer[] {
  const blobs: Buffer[] = [];
  let at = 0;
  for (const { id, path } of files) {
    const start = output.indexOf(10, at) + 1;
    const size = /^[0-9a-f]+ blob (\d+)\n$/.exec(output.toString("latin1", at, start))?.[1];
    const end = start + Number(size);
    if (size === undefined || end >= output.length)
      throw new GitError(unreadable(`the object ${id} of ${path} is missing`));
    blobs.push(output.subarray(start, end));
    at = end + 1;
  }
  return blobs;
}

/** Whether a file of the work tree has the committed content. Line ends that git converts make no difference. */
export function isSameContent(bytes: Buffer, { id }: TreeEntry): boolean {
  if (blobId(bytes, id.length) === id) return true;
  if (!bytes.includes("\r\n")) return false;
  return blobId(Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"), id.length) === id;
}

/** The id that git gives a content, of as many digits as its repository uses: 40, as nearly all do, or 64. */
export function blobId(bytes: Buffer, length = 40): string {
  const content = Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]);
  return hash(length === 64 ? "sha256" : "sha1", content, "hex");
}

/** The link of the repository on the way to a directory. A commit records where it led then, not what is in the directory now. */
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
