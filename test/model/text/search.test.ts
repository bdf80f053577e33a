import fc from "fast-check";
import { expect, test } from "vitest";
import { matcherOf } from "../../../src/model/text/pattern.ts";
import { anyCode, fastFinderOf, finderOf, wildcardFinderOf } from "../../../src/model/text/search.ts";
import { counted, runsOf } from "../../support/runs.ts";

/** Texts and parts in which much looks alike, some of a part longer than a machine word. */
const alike = fc
  .array(fc.tuple(fc.constantFrom("a", "ab", "b", "aab"), fc.nat(40)), { maxLength: 6 })
  .map((parts) => parts.map(([sign, times]) => sign.repeat(times)).join(""));

test("a part is found where it first is, and no character is read more than twice", counted, () => {
  fc.assert(
    fc.property(alike, alike, fc.nat(30), (text, part, from) => {
      let reads = 0;
      const characters = {
        length: text.length,
        charCodeAt: (at: number) => {
          reads += 1;
          return text.charCodeAt(at);
        },
      };
      const start = Math.min(from, text.length);
      expect(finderOf(part)(characters, start)).toBe(text.indexOf(part, start));
      expect(fastFinderOf(part)(text, start)).toBe(text.indexOf(part, start));
      expect(reads).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: runsOf(2000) },
  );
});

test("a part with wildcards is found where it first is, and no character is read twice", counted, () => {
  const [a, b] = [97, 98];
  const signs = fc.array(fc.constantFrom(a, b, anyCode), { maxLength: 80 });
  const texts = fc.array(fc.constantFrom(a, b, b), { maxLength: 200 });
  fc.assert(
    fc.property(signs, texts, fc.nat(30), (part, text, from) => {
      let reads = 0;
      const characters = {
        length: text.length,
        charCodeAt: (at: number) => {
          reads += 1;
          return text[at] ?? 0;
        },
      };
      const start = Math.min(from, text.length);
      const fits = (at: number): boolean =>
        part.every((code, index) => code === anyCode || code === text[at + index]);
      const count = Math.max(0, text.length - part.length - start + 1);
      const places = Array.from({ length: count }, (_, at) => start + at);
      expect(wildcardFinderOf(part)(characters, start)).toBe(places.find(fits) ?? -1);
      expect(reads).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: runsOf(2000) },
  );
});

test("a pattern of long parts matches what the parts do", () => {
  const long = "ab".repeat(20);
  const matches = matcherOf(`*${long}c*${long}*`);
  expect([`${long}c${long}`, `x${long}${long}cx${long}x`].map(matches)).toEqual([true, true]);
  expect([long, `${long}c`, `${long}c${long.slice(1)}`].map(matches)).toEqual([false, false, false]);
});
