import fc from "fast-check";

// Fields in the styles in which people write them.
const fields = [
  ["id: finance", 'id: "finance"', "id: 'finance'", "id:\n  finance"],
  ["name: Finance", "name: none", '"name": "none"', "name: &name Finance", "? name\n: Finance"],
  [
    "description: Ledgers, invoices.",
    "description: >-\n  Ledgers,\n  invoices.",
    "description: |\n  Ledgers\n\n    - invoices\n",
    "description: |+\n  Ledgers\n\n",
    "description: Ledgers\n  and\n\n  invoices",
    'description: "Ledgers\\n and\\\n  invoices \\u0007"',
    `description: ${"Ledgers and invoices of all companies. ".repeat(5).trim()}`,
  ],
  ["domain: none", "domain: 2fbac1a0", "domain: !!str 00123", "domain: *name", "domain: 1e3", 'domain: "no"'],
  [
    "owners: [{ group: finance-data }]",
    "owners:\n- group: finance-data\n- {user: alice, type: DATA_STEWARD}",
    "owners: &owners\n  - &alice\n    user: alice\n    type: DATA_STEWARD\n  - { group: g }",
    "owners: [\n  {user: alice},\n  {\n    group: g,\n  }\n]",
    "owners: !!seq\n  - user: alice",
  ],
  [
    "tags: []",
    "tags: [pii, tier-1]",
    "tags:\n    - pii\n\n    - tier-1",
    "tags: [\n  pii,\n  gold, tier-1,\n]",
    `tags: [${Array.from({ length: 20 }, (_, index) => `tag-${index}`).join(", ")}]`,
    "tags:\n  - - nested\n    - list\n  -\n    key: value",
  ],
  [
    "columns:\n  email: { tags: [pii] }\n  name:\n    tags:\n      - pii",
    "columns: { email: {tags: [pii]}, 'a b': {tags: []} }",
    "columns:\n  email: &column\n    tags: [pii]\n  phone:\n    <<: *column\n  fax: *column",
    "columns: {}",
  ],
  ["manage: { tags: merge }", "manage:\n  tags: merge\n  owners: additive", "manage: {\n tags: merge }"],
  ["unknown: 1", "unknown: ~", "unknown:", "unknown: { a: , b: [ x, {} ] }"],
] as const;

const kind = fc.constantFrom("Domain", "Tag", "User", "Group", "Dataset", "Container", "Odd");

/** The lines of a mapping of some fields in any order, `kind` mostly among them. */
const mapping: fc.Arbitrary<readonly string[]> = fc
  .tuple(
    kind.map((name) => `kind: ${name}`),
    fc
      .subarray(fields.map((styles) => fc.constantFrom<string>(...styles)))
      .chain((some) => fc.tuple(...some)),
  )
  .chain(([first, rest]) => fc.shuffledSubarray([first, ...rest], { minLength: 1 }))
  .map((entries) => entries.flatMap((entry) => entry.split("\n")));

const list = fc
  .array(mapping, { minLength: 1, maxLength: 3 })
  .map((items) =>
    items.flatMap((lines) => lines.map((line, index) => `${index === 0 ? "- " : "  "}${line}`)),
  );

const documentLines = fc.oneof(mapping, list, fc.constant([]), fc.constant(["[]"]), fc.constant(["text"]));

const lines: fc.Arbitrary<readonly string[]> = fc
  .tuple(fc.boolean(), fc.array(documentLines, { minLength: 1, maxLength: 3 }))
  .map(([leads, documents]) =>
    documents.flatMap((each, index) => [...(leads || index > 0 ? ["---"] : []), ...each]),
  );

/** What is done to a line: a comment at its end, or lines before it with comments at some indent, or nothing. */
const touch = fc.oneof(
  { weight: 6, arbitrary: fc.constant("keep" as const) },
  { weight: 2, arbitrary: fc.constant("end" as const) },
  { weight: 1, arbitrary: fc.constant("blank" as const) },
  { weight: 2, arbitrary: fc.nat(4).map((half) => 2 * half) },
);

/** Files as people write them, with comments `#c1`, `#c2`, … at any place. Some are not valid. */
export const writtenFile: fc.Arbitrary<string> = lines.chain((all) =>
  fc
    .array(touch, { minLength: all.length + 1, maxLength: all.length + 1 })
    .map((touches) =>
      [...all, ""].flatMap((line, index) => touched(line, index, touches[index] ?? "keep")).join("\n"),
    ),
);

function touched(line: string, index: number, how: "keep" | "end" | "blank" | number): readonly string[] {
  if (how === "keep") return [line];
  if (how === "end") return [`${line} #c${index}`];
  if (how === "blank") return ["", line];
  return [`${" ".repeat(how)}#c${index}`, line];
}
