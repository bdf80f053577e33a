/** Matches strings against patterns in which `*` matches any text. */

import { fastFinderOf } from "./search.ts";

/** The maximum length of a pattern in a manifest, in characters. */
export const maxPattern = 1000;

/**
 * Returns a function that matches entire strings against a pattern. Unlike a regular expression, it always runs in linear time.
 */
export function matcherOf(pattern: string): (text: string) => boolean {
  const [first = "", ...middle] = pattern.split("*");
  const last = middle.pop();
  if (last === undefined) return (text) => text === first;
  const finders = middle.map((part) => ({ find: fastFinderOf(part), length: part.length }));
  return (text) => {
    const end = text.length - last.length;
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const { find, length } of finders) {
      const found = find(text, at);
      if (found === -1) return false;
      at = found + length;
    }
    return at <= end;
  };
}

/** Returns a function that checks whether an entire string matches any of the patterns, ignoring case. */
export function anyCaseMatcherOf(patterns: readonly string[]): (text: string) => boolean {
  const matches = anyMatcherOf(patterns.map((pattern) => pattern.toLowerCase()));
  return (text) => matches(text.toLowerCase());
}

/**
 * Returns a function that checks whether an entire string matches any of the patterns. It tries only the patterns whose literal
 * beginning matches.
 */
export function anyMatcherOf(patterns: readonly string[]): (text: string) => boolean {
  const [only] = patterns;
  if (only !== undefined && patterns.length === 1) return matcherOf(only);
  const byBeginning = new Map<string, ((text: string) => boolean)[]>();
  for (const pattern of patterns) {
    const [beginning = ""] = pattern.split("*", 1);
    const own = byBeginning.get(beginning) ?? [];
    byBeginning.set(beginning, own);
    own.push(matcherOf(pattern));
  }
  const lengths = [...new Set([...byBeginning.keys()].map(({ length }) => length))];
  return (text) =>
    lengths.some((length) => byBeginning.get(text.slice(0, length))?.some((matches) => matches(text)));
}
