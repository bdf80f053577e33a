import type { Origin } from "../../model/origin.ts";
import { matcherOf } from "../../model/text/pattern.ts";

/** A pattern of paths below the catalog directory, in which `*` matches any text, and where the settings write it. */
export interface PathPattern {
  readonly pattern: string;
  readonly origin: Origin;
}

/** Whether a file belongs to a part of a catalog directory, by its path below it, with `/`. */
export type Part = (path: string) => boolean;

/** The part that is the whole. */
export const everything: Part = () => true;

/** The files that one of the patterns matches; without patterns all. */
export function partOf(paths: readonly PathPattern[] | undefined): Part {
  if (paths === undefined) return everything;
  const matchers = paths.map(({ pattern }) => matcherOf(pattern));
  return (path) => matchers.some((matches) => matches(path));
}

/** Values by key of two mappings of mappings: an entry of the second wins, one by one. */
export function mergedByKey<Value>(
  first: Readonly<Record<string, Readonly<Record<string, Value>>>> = {},
  second: Readonly<Record<string, Readonly<Record<string, Value>>>> = {},
): Readonly<Record<string, Readonly<Record<string, Value>>>> {
  const keys = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries([...keys].map((key) => [key, { ...first[key], ...second[key] }]));
}
