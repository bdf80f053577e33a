import type { Problem } from "../model/problem.ts";
import { type CatalogFile, displayName } from "./catalog-files.ts";
import { errorAt } from "./problem.ts";
import { partOf, type PathPattern } from "./settings/environments.ts";

/** Files of a catalog directory: those that patterns match, and the others. */
export interface Partitioned {
  readonly read: readonly CatalogFile[];
  readonly others: readonly CatalogFile[];
}

/** The files of a catalog directory that one of the patterns matches, and the others; without patterns all match. */
export function partitioned(
  files: readonly CatalogFile[],
  root: string,
  paths: readonly PathPattern[] | undefined,
): Partitioned {
  if (paths === undefined) return { read: files, others: [] };
  const isPart = partOf(paths);
  const isRead = ({ path }: CatalogFile): boolean => isPart(displayName(path, root));
  return { read: files.filter(isRead), others: files.filter((file) => !isRead(file)) };
}

/** A pattern that matches no file is an error, as a directory without manifests is: it never means "nothing is declared". */
export function unmatchedPaths(
  files: readonly CatalogFile[],
  root: string,
  { paths, cwd }: { readonly paths?: readonly PathPattern[] | undefined; readonly cwd: string },
): readonly Problem[] {
  if (paths === undefined) return [];
  const names = files.map(({ path }) => displayName(path, root));
  const dir = displayName(root, cwd);
  return paths.flatMap((path) => {
    if (names.some(partOf([path]))) return [];
    const { pattern, origin } = path;
    const folder = `${pattern.replace(/\/$/, "")}/`;
    const isFolder = names.some((name) => name.startsWith(folder));
    return [errorAt(origin, "unmatched-path", { pattern, dir, ...(isFolder && { write: `${folder}*` }) })];
  });
}
