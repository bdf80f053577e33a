import type { Problem } from "../../model/problem.ts";
import { type CatalogFile, displayName } from "../catalog-files.ts";
import { errorAt } from "../problem.ts";
import type { Origin } from "../../model/origin.ts";
import { matcherOf } from "../../model/text/pattern.ts";

/** A pattern of paths below the catalog directory, in which `*` matches any text, and where the settings write it. */
export interface PathPattern {
  readonly pattern: string;
  readonly origin: Origin;
}

/** Whether a path below the catalog directory, with `/`, belongs to a part of it. */
export type PathFilter = (path: string) => boolean;

/** Every path. */
export const allPaths: PathFilter = () => true;

/** The paths that one of the patterns matches; without patterns all. */
export function pathFilter(paths: readonly PathPattern[] | undefined): PathFilter {
  if (paths === undefined) return allPaths;
  const matchers = paths.map(({ pattern }) => matcherOf(pattern));
  return (path) => matchers.some((matches) => matches(path));
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
    if (names.some(pathFilter([path]))) return [];
    const { pattern, origin } = path;
    const folder = `${pattern.replace(/\/$/, "")}/`;
    const isFolder = names.some((name) => name.startsWith(folder));
    return [errorAt(origin, "unmatched-path", { pattern, dir, ...(isFolder && { write: `${folder}*` }) })];
  });
}
