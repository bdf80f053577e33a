import { existsSync, lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";

/**
 * The first link in a path that leads out of its repository, or into `.git`; `undefined` where there is none, or the path leads
 * nowhere. Links outside of repositories may lead anywhere, except below `root`.
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

/** Whether a path is in the repository of a directory, or where that is in none, in the directory. Links are followed. */
export function isInWorkTree(path: string, directory: string): boolean {
  const real = followed(directory);
  return isWithin(followed(path), workTreeAbove(real) ?? real);
}

// `.git` may contain a token.
function isWithin(real: string, boundary: string): boolean {
  const parts = relative(boundary, real).split(sep);
  return parts[0] !== ".." && parse(real).root === parse(boundary).root && !parts.includes(".git");
}

function leadsOut(directory: string, target: string, root: string | undefined): boolean {
  const own = root !== undefined && isWithin(directory, root) ? root : undefined;
  const boundary = workTreeAbove(directory) ?? own;
  return boundary !== undefined && !isWithin(target, boundary);
}

/** The nearest directory, from a path on upwards, that is a repository; `undefined` where there is none. */
export function workTreeAbove(real: string): string | undefined {
  if (existsSync(join(real, ".git"))) return real;
  const parent = dirname(real);
  return parent === real ? undefined : workTreeAbove(parent);
}

/** Where a path leads when its links are followed; the part of it that is not there yet stays as it is written. */
export function followed(path: string): string {
  const parent = dirname(path);
  return realPathOf(path) ?? (parent === path ? path : join(followed(parent), basename(path)));
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
