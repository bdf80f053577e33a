import { createHash } from "node:crypto";
import { lstatSync, realpathSync } from "node:fs";
import { dirname, sep } from "node:path";
import { displayName, mayLeadToManifests } from "../manifests/catalog-files.ts";
import { git, textsOf } from "./git.ts";
import { failed, type Fault, faultOf, outputOr } from "./fault.ts";

/** A file, link or submodule of a commit; `path` is relative to the directory that was asked about, with `/`. */
export interface TreeEntry {
  readonly path: string;
  readonly type: "file" | "link" | "submodule";
  readonly id: string;
}

/** The whole id of the commit that a ref names. */
export async function commitOf(dir: string, ref: string): Promise<{ readonly commit: string } | Fault> {
  // No name of a commit begins so, but an option does.
  if (ref.startsWith("-")) return faultOf("missing", {});
  const answer = await git(dir, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if ("failure" in answer) return answer.failure.status === 1 ? await missing(dir) : failed(answer.failure);
  const commit = answer.output.toString().trim();
  return /^[0-9a-f]+$/.test(commit) ? { commit } : faultOf("missing", {});
}

async function missing(dir: string): Promise<Fault> {
  const any = outputOr(await git(dir, ["rev-list", "-n", "1", "--all"]));
  if ("fault" in any) return any;
  return any.output.length === 0 ? faultOf("no-commits", {}) : faultOf("missing", await cloneOf(dir));
}

/** What is to be said of a repository that may lack a part of its history. */
export async function cloneOf(dir: string): Promise<{ readonly clone?: "shallow" }> {
  const answer = await git(dir, ["rev-parse", "--is-shallow-repository"]);
  return "output" in answer && answer.output.toString().trim() === "true" ? { clone: "shallow" } : {};
}

/** All that stands below a directory in a commit; nothing where the commit has no such directory. */
export async function treeOf(dir: string, commit: string): Promise<{ tree: readonly TreeEntry[] } | Fault> {
  const answer = outputOr(await git(dir, ["ls-tree", "-r", "-z", commit]));
  return "fault" in answer ? answer : { tree: textsOf(answer.output).map(entryOf) };
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

/** Whether there may be manifests behind it, which are not in the commit. */
export function isOpaque({ path, type }: Pick<TreeEntry, "path" | "type">): boolean {
  return type === "submodule" || (type === "link" && mayLeadToManifests(path));
}

/** The contents of files of a commit, in their order, as they were committed. */
export async function blobsOf(
  dir: string,
  files: readonly TreeEntry[],
): Promise<{ blobs: readonly Buffer[] } | Fault> {
  if (files.length === 0) return { blobs: [] };
  const input = files.map(({ id }) => `${id}\n`).join("");
  const answer = outputOr(await git(dir, ["cat-file", "--batch"], input));
  return "fault" in answer ? answer : blobsIn(answer.output, files);
}

// For each file `<id> blob <size>\n<bytes>\n`, or `<id> missing\n`.
function blobsIn(output: Buffer, files: readonly TreeEntry[]): { blobs: readonly Buffer[] } | Fault {
  const blobs: Buffer[] = [];
  let at = 0;
  for (const { id, path } of files) {
    const start = output.indexOf(10, at) + 1;
    const size = /^[0-9a-f]+ blob (\d+)\n$/.exec(output.toString("latin1", at, start))?.[1];
    const end = start + Number(size);
    if (size === undefined || end >= output.length) {
      return faultOf("unreadable", { words: `the object ${id} of ${path} is missing` });
    }
    blobs.push(output.subarray(start, end));
    at = end + 1;
  }
  return { blobs };
}

/** Whether a file of the work tree holds what was committed. Line ends that git converts make no difference. */
export function isSameContent(bytes: Buffer, { id }: TreeEntry): boolean {
  if (blobId(bytes, id.length) === id) return true;
  if (!bytes.includes("\r\n")) return false;
  return blobId(Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"), id.length) === id;
}

function blobId(bytes: Buffer, length: number): string {
  return createHash(length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}

/**
 * A fault where a link of the repository is on the way to a directory: a commit says where it led then, and not what
 * the directory holds now.
 */
export async function linkOnTheWay(dir: string, cwd: string): Promise<Fault | undefined> {
  const answer = outputOr(await git(dir, ["rev-parse", "--show-toplevel"]));
  if ("fault" in answer) return answer;
  const top = realpathSync(answer.output.toString().replace(/\r?\n$/, ""));
  const link = linkAbove(dir, top.endsWith(sep) ? top : `${top}${sep}`);
  return link === undefined ? undefined : faultOf("link", { file: displayName(link, cwd), what: "link" });
}

function linkAbove(path: string, top: string): string | undefined {
  const parent = dirname(path);
  if (parent === path) return undefined;
  const isInside = `${realpathSync(parent)}${sep}`.startsWith(top);
  return isInside && lstatSync(path).isSymbolicLink() ? path : linkAbove(parent, top);
}
