import type { Origin } from "../../model/origin.ts";
import { matcherOf } from "../../model/text/pattern.ts";

/** A pattern of paths below the catalog directory, in which `*` matches any text, and where the settings write it. */
export interface PathPattern {
  readonly pattern: string;
  readonly origin: Origin;
}

/** Whether a file belongs to a part of a catalog directory, by its path below it, with `/`. */
export type Part = (path: string) => boolean;

/** The part that is everything. */
export const everything: Part = () => true;

/** The files that one of the patterns matches; without patterns all. */
export function partOf(paths: readonly PathPattern[] | undefined): Part {
  if (paths === undefined) return everything;
  const matchers = paths.map(({ pattern }) => matcherOf(pattern));
  return (path) => matchers.some((matches) => matches(path));
}
