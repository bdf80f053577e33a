/** Computes the path of an entity's manifest in a catalog directory, and finds existing files at such paths. */

import { hash } from "node:crypto";
import { resolve } from "node:path";
import { kindOf } from "../../../kinds/index.ts";
import { displayName } from "../../base/catalog-files.ts";
import { plainKeyOf, type Urn } from "../../../model/urn.ts";
import type { Declaration } from "../../../model/declaration.ts";

/** The maximum length of a path below the catalog directory. Windows allows 260 characters for the full path. */
const maxPathLength = 240;

const maxNameLength = 80;

/** Names that Windows reserves for devices, with any extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=$|\.)/i;

/**
 * Returns the path of an entity's manifest, relative to the catalog directory and with `/` as the separator. The path consists of
 * letters, digits and a few characters that every file system accepts. All other characters are percent-encoded. Two entities may
 * have the same path, or paths that differ only in case. If `isTaken` returns true for the lowercase path, the path gets a hash
 * as a suffix. `folder` is empty or ends with `/`.
 */
export function filePathOf(
  urn: Urn,
  kindName: string,
  isTaken: (path: string) => boolean,
  folder = "",
): string {
  const kind = kindOf(kindName);
  const names = kind.pathOf(urn).filter((name) => name !== "");
  const kindFolder = kind.plural.toLowerCase().replaceAll(" ", "-");
  const segments = [kindFolder, ...(names.length > 0 ? names : [plainKeyOf(urn)]).map(safeName)];
  const fullPath = folder + segments.join("/");
  const path = `${fullPath}.yaml`;
  if (path.length <= maxPathLength && !isTaken(path.toLowerCase())) return path;
  const start = fullPath.slice(0, maxPathLength - 15).replace(/[/.%]+$|%.$/g, "");
  return `${start}~${digestOf(urn)}.yaml`;
}

/** Whether `filePathOf` can return this path for an entity and one of these folders. */
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

/** A catalog directory, and the folder for new files that would otherwise be outside of the environment. */
interface Place {
  readonly root: string;
  readonly cwd: string;
  readonly folder: string;
}

/** An entity's file at a path that an export would use. */
export interface OwnFile {
  readonly path: string;
  /** The current declaration. */
  readonly before: Declaration;
}

/** Finds each entity's first file at a path that an export would use. */
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

/** Converts a file name as shown in messages to a path relative to the catalog directory. */
export function pathBelow(name: string, { root, cwd }: Place): string {
  return displayName(resolve(cwd, name), root);
}
