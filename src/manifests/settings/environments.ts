/** Selects an environment's manifest files with path patterns, and reports patterns that match no file. */

import type { Problem } from "../../model/problem.ts";
import { type CatalogFile, displayName } from "../base/catalog-files.ts";
import { errorAt } from "../base/problem.ts";
import type { Origin } from "../../model/origin.ts";
import { matcherOf } from "../../model/text/pattern.ts";

/** A pattern for paths below the catalog directory, and its position in the settings. `*` matches any text. */
export interface PathPattern {
  readonly pattern: string;
  readonly origin: Origin;
}

/** Returns whether a path is included. The path is relative to the catalog directory, with `/` as the separator. */
export type PathFilter = (path: string) => boolean;

/** Accepts every path. */
export const allPaths: PathFilter = () => true;

/** Creates a filter for paths that match at least one of the patterns. If `paths` is undefined, the filter accepts every path. */
export function pathFilter(paths: readonly PathPattern[] | undefined): PathFilter {
  if (paths === undefined) return allPaths;
  const matchers = paths.map(({ pattern }) => matcherOf(pattern));
  return (path) => matchers.some((matches) => matches(path));
}

/**
 * Reports patterns that match no file. Such a pattern is an error, like a directory without manifests. Otherwise, a misspelled
 * pattern would mean that nothing is declared.
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
