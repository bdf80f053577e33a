/** Finds the users and teams that own a file according to CODEOWNERS. */

import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { enclosingWorkTree } from "../../files/links.ts";
import { readRegularFile } from "../../files/read-file.ts";
import { matcherOf } from "../../model/text/pattern.ts";

/** The paths where GitHub and GitLab look for CODEOWNERS. They use the first file that exists. */
const places = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];

/** A line of CODEOWNERS: a pattern and its owners. */
interface Entry {
  readonly matches: (path: readonly string[]) => boolean;
  readonly owners: readonly string[];
}

/**
 * Returns a file's owners as written in CODEOWNERS, such as `@acme/governance`. `file` is relative to `cwd`. If CODEOWNERS is
 * missing or unreadable, returns no owners and throws no error, because owners are only displayed.
 */
export function codeOwnersIn(cwd: string): (file: string) => readonly string[] {
  const root = enclosingWorkTree(resolve(cwd));
  const text = root === undefined ? undefined : firstText(root);
  if (root === undefined || text === undefined) return () => [];
  const entries = text.split(/\r?\n/).flatMap(entryOf);
  return (file) => {
    const path = relative(root, resolve(cwd, file)).split(sep);
    return entries.findLast(({ matches }) => matches(path))?.owners ?? [];
  };
}

function firstText(root: string): string | undefined {
  const place = places.map((each) => join(root, each)).find((each) => existsSync(each));
  if (place === undefined) return undefined;
  try {
    return readRegularFile(place).toString("utf8");
  } catch {
    return undefined;
  }
}

function entryOf(line: string): readonly Entry[] {
  const [pattern = "", ...words] = line
    .replace(/(^|\s)#.*$/, "")
    .trim()
    .split(/\s+/);
  // Skips GitLab sections and invalid patterns.
  if (pattern === "" || /^[[^!]/.test(pattern)) return [];
  return [{ matches: matcherOfPaths(pattern), owners: words }];
}

/**
 * Returns a matcher for a CODEOWNERS pattern. `*` matches within a name, `**` matches any number of names, and a directory
 * matches everything in it.
 */
function matcherOfPaths(pattern: string): (path: readonly string[]) => boolean {
  const names = pattern.replace(/^\/|\/$/g, "").split("/");
  const isAnchored = pattern.startsWith("/") || names.length > 1;
  const parts = (isAnchored ? names : ["**", ...names]).map((name) =>
    name === "**" ? undefined : matcherOf(name),
  );
  const isOfDirectory = pattern.endsWith("/");
  const includesBelow = names.at(-1) !== "*" || !isAnchored;
  return (path) => {
    // The numbers of path segments that the pattern may have matched so far.
    let reached = new Set([0]);
    for (const matches of parts) {
      const next = new Set<number>();
      for (const at of reached) {
        if (matches?.(path[at] ?? "")) next.add(at + 1);
        if (!matches) for (let to = at; to <= path.length; to++) next.add(to);
      }
      reached = next;
    }
    return [...reached].some(
      (at) => (at === path.length && !isOfDirectory) || (at < path.length && at > 0 && includesBelow),
    );
  };
}
