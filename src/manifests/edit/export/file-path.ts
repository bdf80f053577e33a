import { hash } from "node:crypto";
import { resolve } from "node:path";
import { kindOf } from "../../../kinds/index.ts";
import { displayName } from "../../catalog-files.ts";
import type { Declaration } from "../../declaration.ts";
import type { Kind } from "../../../kinds/kind.ts";
import { plainKeyOf, type Urn } from "../../../model/urn.ts";

/** The longest path of a manifest, below the catalog directory. Windows takes 260 characters for all of it. */
const maxPathLength = 240;

const maxNameLength = 80;

/** Names that Windows reserves for devices, with any extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=$|\.)/i;

/**
 * The path of the manifest of an entity, below the catalog directory and with `/`. It is made of letters, digits and a few
 * signs that every file system takes; all others are percent-encoded. Two entities may have the same one, or one that
 * differs in case only: `isTaken` says so of a path in lower case, and the later one gets a name of its own. `folder` is empty,
 * or ends in `/`.
 */
export function filePathOf(
  urn: Urn,
  kindName: string,
  isTaken: (path: string) => boolean,
  folder = "",
): string {
  const kind = kindOf(kindName);
  const names = kind.pathOf(urn).filter((name) => name !== "");
  const segments = [folderOf(kind), ...(names.length > 0 ? names : [plainKeyOf(urn)]).map(safeName)];
  const fullPath = folder + segments.join("/");
  const path = `${fullPath}.yaml`;
  if (path.length <= maxPathLength && !isTaken(path.toLowerCase())) return path;
  const start = fullPath.slice(0, maxPathLength - 15).replace(/[/.%]+$|%.$/g, "");
  return `${start}~${digestOf(urn)}.yaml`;
}

function folderOf({ plural }: Kind): string {
  return plural.toLowerCase().replaceAll(" ", "-");
}

/** Whether a path is one of those that `filePathOf` gives an entity, below one of some folders. */
function isPathOf(path: string, urn: Urn, kindName: string, folders: readonly string[]): boolean {
  return folders.some((folder) =>
    [false, true].some((isTaken) => filePathOf(urn, kindName, () => isTaken, folder) === path),
  );
}

function safeName(name: string): string {
  const encoded = name
    .replace(/[^A-Za-z0-9._@+=-]/gu, percentEncoded)
    .replace(/^\.|\.$/g, percentEncoded)
    .replace(reserved, (device) => percentEncoded(device.slice(0, 1)) + device.slice(1));
  if (encoded.length <= maxNameLength) return encoded;
  return `${encoded.slice(0, maxNameLength - 9).replace(/%.?$|\.+$/, "")}~${digestOf(name)}`;
}

function percentEncoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}

function digestOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, 8);
}

/** A catalog directory, and the folder of those new files that would not belong to its environment else. */
interface Place {
  readonly root: string;
  readonly cwd: string;
  readonly folder: string;
}

/** A file at the path where an export writes it. */
export interface OwnFile {
  readonly path: string;
  /** What it declares. */
  readonly before: Declaration;
}

/** By entity, its first file at a path where an export writes it. */
export function ownFiles(declarations: Iterable<Declaration>, directory: Place): ReadonlyMap<Urn, OwnFile> {
  const folders = [...new Set(["", directory.folder])];
  const files = new Map<Urn, OwnFile>();
  for (const before of declarations) {
    const { urn, kind, origin } = before.entity;
    if (before.inline || files.has(urn)) continue;
    const path = pathBelow(origin?.file ?? "", directory);
    if (isPathOf(path, urn, kind, folders)) files.set(urn, { path, before });
  }
  return files;
}

/** The path below the catalog directory of what messages call so. */
export function pathBelow(name: string, { root, cwd }: Pick<Place, "root" | "cwd">): string {
  return displayName(resolve(cwd, name), root);
}
