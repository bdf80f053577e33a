import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestSpelling } from "../../../src/model/text/suggestion.ts";

test.each([
  ["tag", ["tags", "domain"], "tags"],
  ["piii", ["pii", "finance"], "pii"],
  ["Dataset", ["dataset"], "dataset"],
  ["displayName", ["display_name", "email"], "display_name"],
  ["onwers", ["owners", "tags"], "owners"],
  ["TECHNICAL_OWNR", ["BUSINESS_OWNER", "TECHNICAL_OWNER"], "TECHNICAL_OWNER"],
  ["ab", ["tags"], undefined],
  ["pi", ["po", "finance", "pii"], "pii"],
  ["PI", ["pi", "pii"], "pi"],
  ["pi", ["po"], undefined],
  ["p", ["pi"], undefined],
  ["glossary_terms", ["tags", "owners"], undefined],
  ["", ["a"], undefined],
  ["🦆🦆🦆🦆🦆", ["🦆🦆🦆🦆"], "🦆🦆🦆🦆"],
])("%s of %j means %s", (text, candidates, expected) => {
  expect(nearestSpelling(text, candidates)).toBe(expected);
});

test("of two that are equally near the first by code unit is taken, whatever their order", () => {
  expect(nearestSpelling("tagx", ["tagb", "taga"])).toBe("taga");
  expect(nearestSpelling("tagx", ["taga", "tagb"])).toBe("taga");
});

/** The distance as its definition says it, without any limit. */
function plainDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_each, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const at = (di: number, dj: number) => rows[i - di]?.[j - dj] ?? 0;
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const costs = [
        at(1, 0) + 1,
        at(0, 1) + 1,
        at(1, 1) + (isSame ? 0 : 1),
        ...(isSwapped ? [at(2, 2) + 1] : []),
      ];
      rows[i]![j] = Math.min(...costs);
    }
  }
  return rows[a.length]?.[b.length] ?? 0;
}

test("a text is suggested exactly if no more than a third of its letters, or of three, and three of them, differ", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 3, maxLength: 14 });
  fc.assert(
    fc.property(text, text, (wanted, candidate) => {
      const isNear = plainDistance(wanted, candidate) <= Math.min(3, Math.floor(wanted.length / 3));
      expect(nearestSpelling(wanted, [candidate])).toBe(isNear ? candidate : undefined);
    }),
    { numRuns: 2000 },
  );
});

test("of very many long candidates only the first are compared", () => {
  const wanted = "x".repeat(200);
  const far = (count: number): readonly string[] => Array.from({ length: count }, () => "y".repeat(200));

  expect(nearestSpelling(wanted, [...far(999), wanted])).toBe(wanted);
  expect(nearestSpelling(wanted, [...far(1000), wanted])).toBeUndefined();
});
