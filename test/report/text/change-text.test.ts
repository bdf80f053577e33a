import { expect, test } from "vitest";
import type { Scalar } from "../../../src/model/state.ts";
import { urn } from "../../support/states.ts";
import { planOf } from "../plans.ts";
import { printed } from "../print.ts";

const names = { "urn:li:domain:2fb": "Sales EMEA", "urn:li:domain:finance": "Finance" };

/** The lines of a single value that is replaced. */
function linesOf(facet: string, before: Scalar, after: Scalar, color = false): readonly string[] {
  const change = {
    action: "update",
    shape: "scalar",
    kind: "User",
    urn: urn("urn:li:corpuser:a"),
    facet,
    before,
    after,
    fingerprint: "",
  } as const;
  const text = printed({ plan: planOf({ names, changes: [change] }) }, "text", { color });
  return text
    .split("\n\n")[1]!
    .split("\n")
    .slice(1)
    .map((line) => line.trim());
}

/** The first of them. */
function lineOf(facet: string, before: Scalar, after: Scalar, color = false): string | undefined {
  return linesOf(facet, before, after, color)[0];
}

test.each<readonly [string, string, Scalar, Scalar, string]>([
  [
    "a text that keeps words shows which words go and come",
    "description",
    "Ledgers.",
    "Ledgers and invoices.",
    "~ description: Ledgers{+ and invoices+}.",
  ],
  [
    "a text that keeps no word is shown whole, twice",
    "title",
    "Clerk.",
    "Head of Sales.",
    "~ title: Clerk. → Head of Sales.",
  ],
  [
    "a reference is shown whole, twice",
    "domain",
    "urn:li:domain:2fb",
    "urn:li:domain:finance",
    "~ domain: Sales EMEA (urn:li:domain:2fb) → Finance (urn:li:domain:finance)",
  ],
  [
    "of several fields those that differ are shown, and the others are named",
    "title",
    { a: "x", b: "y" },
    { a: "z", b: "y" },
    "~ title: { a: [-x-]{+z+} }  (unchanged: b)",
  ],
  [
    "a field that goes is shown alone",
    "title",
    { a: "x", b: "y" },
    { b: "y" },
    "~ title: { a: x } → {}  (unchanged: b)",
  ],
  ["a number is shown whole, twice", "department_id", 17, 18, "~ department_id: 17 → 18"],
  [
    "what is soft-deleted is said to be restored",
    "removed",
    true,
    false,
    "~ removed: true (soft-deleted) → false (restored)",
  ],
])("%s", (_, facet, before, after, line) => {
  expect(lineOf(facet, before, after)).toBe(line);
});

test("in color the old value is red and the new one is green", () => {
  expect(lineOf("title", "Clerk", "Head", true)).toContain(
    "\u001B[31mClerk\u001B[39m → \u001B[32mHead\u001B[39m",
  );
});

const words = (count: number, step: number): string =>
  Array.from({ length: count }, (_, index) => `w${(index * step) % (3 * count)}`).join(" ");

test.each([4000, 28_000])(
  "two texts of %i words that differ in most of them stand on a line each, whole",
  (count) => {
    const [before, after] = [words(count, 7919), words(count, 245_489)];

    expect(linesOf("description", before, after)).toEqual(["~ description:", `- ${before}`, `+ ${after}`]);
  },
);

test("in a text of 28,000 words the few that differ are marked", () => {
  const before = words(28_000, 1);

  expect(lineOf("description", before, `${before} more`)).toBe(`~ description: ${before}{+ more+}`);
});

test("a new entity has the first of its places, and a value has one where it comes from elsewhere", () => {
  const created = (facet: string, after: string, file: string, line: number, rules?: readonly string[]) =>
    ({
      action: "create",
      shape: "scalar",
      kind: "Tag",
      urn: urn("urn:li:tag:a"),
      facet,
      before: null,
      after,
      fingerprint: "",
      source: { file, line, column: 3 },
      ...(rules && { rules }),
    }) as const;
  const changes = [
    created("color_hex", "#C0392B", "catalog/tags.yaml", 7),
    created("description", "Personal data.", "catalog/tags.yaml", 5),
    created("name", "PII", "catalog/names.yaml", 2),
    created("external_url", "https://acme.com", "catalog/tags.yaml", 1, ["links"]),
  ];

  expect(printed({ plan: planOf({ changes }) }, "text").split("\n\n")[1]).toBe(
    [
      "+ Tag urn:li:tag:a  catalog/tags.yaml:5:3",
      "    + color_hex: #C0392B",
      "    + description: Personal data.",
      "    + name: PII  catalog/names.yaml:2:3",
      "    + external_url: https://acme.com  catalog/tags.yaml:1:3 (rule links)",
    ].join("\n"),
  );
});
