/** Selects the manifest files of an environment by path patterns, and reports patterns that match no file. */

import type { Problem } from "../../model/problem.ts";
import { type CatalogFile, displayName } from "../base/catalog-files.ts";
import { errorAt } from "../base/problem.ts";
import type { Origin } from "../../model/origin.ts";
import { matcherOf } from "../../model/text/pattern.ts";

/** A pattern of paths below the catalog directory, with its place in the settings; `*` matches any text. */
export interface PathPattern {
  readonly pattern: string;
  readonly origin: Origin;
}

/** Whether a part of the catalog directory includes a path below it, with `/`. */
export type PathFilter = (path: string) => boolean;

/** The filter that accepts every path. */
export const allPaths: PathFilter = () => true;

/** The filter that accepts paths that match one of the patterns; without patterns, every path. */
export function pathFilter(paths: readonly PathPattern[] | undefined): PathFilter {
  if (paths === undefined) return allPaths;
  const matchers = paths.map(({ pattern }) => matcherOf(pattern));
  return (path) => matchers.some((matches) => matches(path));
}

/**
 * The errors for patterns that match no file. Like a directory without manifests, such a pattern never means "nothing is declared".
 */
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
