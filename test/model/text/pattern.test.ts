import fc from "fast-check";
import { expect, test } from "vitest";
import { anyMatcherOf, matcherOf } from "../../../src/model/text/pattern.ts";
import { forAll } from "../../laws/law.ts";
import { counted } from "../../support/runs.ts";

// A pattern, a text, whether they match.
const rows: readonly (readonly [string, string, boolean])[] = [
  ["urn:li:tag:pii", "urn:li:tag:pii", true],
  ["urn:li:tag:pii", "urn:li:tag:piis", false],
  ["urn:li:tag:pii", "my urn:li:tag:pii", false],
  ["urn:li:tag:dbt:*", "urn:li:tag:dbt:finance", true],
  ["urn:li:tag:dbt:*", "urn:li:tag:dbt:", true],
  ["urn:li:tag:dbt:*", "urn:li:tag:dbt", false],
  ["*", "", true],
  ["*", "anything at all", true],
  ["**", "", true],
  ["", "", true],
  ["", "a", false],
  ["a.c", "abc", false],
  ["a.c", "a.c", true],
  ["(a|b)[c]{1}^$\\d+?", "(a|b)[c]{1}^$\\d+?", true],
  ["a+*", "aaa", false],
  ["URN:*", "urn:li:tag:a", false],
  ["first*last", "first line\nsecond line\nlast", true],
  ["first", "first\n", false],
  ["ab*ba", "aba", false],
  ["ab*ba", "abba", true],
  ["a*b*c", "a-c-b", false],
  ["a*b*c", "a-b-b-c", true],
  ["*b*", "abc", true],
  ["*bc*c", "abc", false],
  ["*ä*", "Käse", true],
];

test.each(rows)("the pattern %j and the text %j match: %j", (pattern, text, expected) => {
  expect(matcherOf(pattern)(text)).toBe(expected);
});

test("one of several patterns matches exactly where one of them does alone", counted, () => {
  const texts = (...units: readonly string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 5 });
  const cases = fc.record({
    patterns: fc.array(texts("a", "b", "*"), { maxLength: 6 }),
    text: texts("a", "b"),
  });

  forAll(cases, 1000, ({ patterns, text }) => {
    expect(anyMatcherOf(patterns)(text)).toBe(patterns.some((pattern) => matcherOf(pattern)(text)));
  });
});
