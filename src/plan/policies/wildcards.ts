/** Matches strings against patterns that contain `*` and `?`. */

import { matcherOf } from "../../model/text/pattern.ts";
import { anyCode, type Characters, codePointsOf, wildcardFinderOf } from "../../model/text/search.ts";

/**
 * Returns a function that tests whether a complete string matches a pattern. In the pattern, `*` matches any text and `?` matches
 * one character. Matching takes time proportional to the length of the string.
 */
export function wildcardsOf(pattern: string): (text: string) => boolean {
  if (!pattern.includes("?")) return matcherOf(pattern);
  const [first = [], ...middle] = pattern.split("*").map(codesOf);
  const last = middle.pop();
  if (!last) {
    return (text) => {
      const characters = codePointsOf(text);
      return characters.length === first.length && isAt(first, characters, 0);
    };
  }
  const finders = middle.map((part) => ({ find: wildcardFinderOf(part), length: part.length }));
  return (text) => {
    const characters = codePointsOf(text);
    const end = characters.length - last.length;
    if (end < first.length || !isAt(first, characters, 0) || !isAt(last, characters, end)) return false;
    let at = first.length;
    for (const { find, length } of finders) {
      const found = find(characters, at);
      if (found === -1) return false;
      at = found + length;
    }
    return at <= end;
  };
}

function codesOf(part: string): readonly number[] {
  return Array.from(part, (sign) => (sign === "?" ? anyCode : (sign.codePointAt(0) ?? 0)));
}

function isAt(part: readonly number[], text: Characters, at: number): boolean {
  return part.every((code, index) => code === anyCode || code === text.charCodeAt(at + index));
}
