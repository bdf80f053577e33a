import fc from "fast-check";
import { expect, test } from "vitest";
import { wildcardsOf } from "../../../src/plan/policies/wildcards.ts";

test.each<readonly [pattern: string, matching: readonly string[], others: readonly string[]]>([
  ["", [""], ["a"]],
  ["a", ["a"], ["", "b", "aa", "A"]],
  ["?", ["a", "*", "💡"], ["", "ab"]],
  ["*", ["", "a", "a\nb"], []],
  ["**", ["", "ab"], []],
  ["a*", ["a", "ab"], ["", "ba"]],
  ["*a", ["a", "ba", "aa"], ["", "ab"]],
  ["?*?", ["ab", "abc"], ["", "a"]],
  ["a*b?c", ["abxc", "aabbxbxc"], ["abc", "abxcd"]],
  ["*ab*ab", ["abab", "xabyabab"], ["ab", "ababx"]],
  ["a.c", ["a.c"], ["abc"]],
])("%s", (pattern, matching, others) => {
  expect([...matching, ...others].filter(wildcardsOf(pattern))).toEqual(matching);
});

test("a pattern matches what a regular expression of the same meaning does", () => {
  const signs = fc.array(fc.constantFrom("a", "b", "*", "?"), { maxLength: 6 });
  const texts = fc.array(fc.constantFrom("a", "b"), { maxLength: 8 });
  fc.assert(
    fc.property(signs, texts, (pattern, characters) => {
      const text = characters.join("");
      const source = pattern.map((sign) => (sign === "*" ? ".*" : sign === "?" ? "." : sign)).join("");
      expect(wildcardsOf(pattern.join(""))(text)).toBe(new RegExp(`^${source}$`).test(text));
    }),
    { numRuns: 500 },
  );
});
