/** Resolves symbolic links, finds links that lead out of a repository, and finds the work tree that contains a path. */

import { existsSync, lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";

/**
 * Returns the first link in a path that leads out of its repository or into `.git`; `undefined` if there is no such link or the
 * path does not exist. Links outside of a repository may lead anywhere, but links below `root` must not lead out of `root`.
 */
export function linkOutside(path: string, root?: string): string | undefined {
  const absolute = resolve(path);
  const real = realPathOf(absolute);
  if (real === undefined || real === absolute) return undefined;
  const boundary = root === undefined ? undefined : realPathOf(root);
  let at = parse(absolute).root;
  for (const part of relative(at, absolute).split(sep)) {
    const next = join(at, part);
    const target = realPathOf(next);
    if (target === undefined) return undefined;
    if (lstatSync(next).isSymbolicLink() && leadsOut(at, target, boundary)) return next;
    at = target;
  }
  return undefined;
}

/**
 * Whether a path is in the same work tree as a directory, or in the directory itself if the directory is not in a work tree.
 * Follows links.
 */
export function isInWorkTree(path: string, directory: string): boolean {
  const real = resolveLinks(directory);
  return isWithin(resolveLinks(path), enclosingWorkTree(real) ?? real);
}

// Files in `.git` may contain a token, so no path in `.git` counts as being within the boundary.
function isWithin(real: string, boundary: string): boolean {
  const parts = relative(boundary, real).split(sep);
  return parts[0] !== ".." && parse(real).root === parse(boundary).root && !parts.includes(".git");
}

function leadsOut(directory: string, target: string, root: string | undefined): boolean {
  const own = root !== undefined && isWithin(directory, root) ? root : undefined;
  const boundary = enclosingWorkTree(directory) ?? own;
  return boundary !== undefined && !isWithin(target, boundary);
}

/** Returns the root of the work tree that contains a path; `undefined` if no work tree contains it. */
export function enclosingWorkTree(real: string): string | undefined {
  if (existsSync(join(real, ".git"))) return real;
  const parent = dirname(real);
  return parent === real ? undefined : enclosingWorkTree(parent);
}

/** Resolves the links in a path. Segments that do not exist are kept unchanged. */
export function resolveLinks(path: string): string {
  const parent = dirname(path);
  return realPathOf(path) ?? (parent === path ? path : join(resolveLinks(parent), basename(path)));
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
