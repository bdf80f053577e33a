import { resolve } from "node:path";
import { displayName } from "../../catalog-files.ts";
import type { Declaration } from "../../declaration.ts";
import { isPathOf } from "./file-path.ts";
import type { Urn } from "../../../model/urn.ts";

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
