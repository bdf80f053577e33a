import { expect, test } from "vitest";
import { closest } from "../../src/text/suggestion.ts";

test.each([
  ["tag", ["tags", "domain"], "tags"],
  ["piii", ["pii", "finance"], "pii"],
  ["Dataset", ["dataset"], "dataset"],
  ["displayName", ["display_name", "email"], "display_name"],
  ["onwers", ["owners", "tags"], "owners"],
  ["TECHNICAL_OWNR", ["BUSINESS_OWNER", "TECHNICAL_OWNER"], "TECHNICAL_OWNER"],
  ["ab", ["tags"], undefined],
  ["glossary_terms", ["tags", "owners"], undefined],
  ["", ["a"], undefined],
  ["🦆🦆🦆🦆🦆", ["🦆🦆🦆🦆"], "🦆🦆🦆🦆"],
])("%s of %j means %s", (text, candidates, expected) => {
  expect(closest(text, candidates)).toBe(expected);
});

test("of two that are equally near the first by code unit is taken, whatever their order", () => {
  expect(closest("tagx", ["tagb", "taga"])).toBe("taga");
  expect(closest("tagx", ["taga", "tagb"])).toBe("taga");
});
