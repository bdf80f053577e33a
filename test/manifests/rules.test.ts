import { describe, expect, test } from "vitest";
import { facetsOf } from "../../src/facets/index.ts";
import { briefly, desiredFrom, desiredOf, inOneFile } from "../support/manifest-files.ts";

const head = "kind: Rule\nid: r\n";
const match = "match: { kind: Dataset, platform: snowflake }\n";

test("a rule is read with all that it matches by and declares", async () => {
  const { rules, documents, problems } = await desiredFrom({
    "catalog/a.yaml": `kind: Rule
id: finance
description: All of finance.
match:
  kind: Dataset
  platform: snowflake
  name: ["prod.finance.*", "prod.ledger.*"]
  not: [{ name: "*_tmp", subtype: View }, { env: DEV }]
priority: 5
manage: { tags: merge }
declare:
  domain: finance
  owners: [{ group: finance-data }]
  tags: [finance]
  columns:
    "*email*": { tags: [pii], native_type: "VARCHAR*" }
`,
  });

  expect(briefly(problems)).toEqual([]);
  expect(documents).toBe(1);
  const at = (line: number, column: number) => ({ file: "catalog/a.yaml", line, column });
  const [rule] = rules;
  expect(rule).toMatchObject({
    id: "finance",
    kind: "Dataset",
    conditions: [
      { key: "platform", patterns: ["snowflake"], origin: at(6, 3) },
      { key: "name", patterns: ["prod.finance.*", "prod.ledger.*"], origin: at(7, 3) },
    ],
    exclusions: [
      [
        { key: "name", patterns: ["*_tmp"] },
        { key: "subtype", patterns: ["View"] },
      ],
      [{ key: "env", patterns: ["DEV"] }],
    ],
    priority: 5,
    manage: { tags: "merge" },
    origin: at(1, 1),
  });
  expect([...(rule?.facets.keys() ?? [])]).toEqual(["domain", "owners", "tags"]);
  expect(rule?.facets.get("domain")).toEqual({
    shape: "scalar",
    value: "urn:li:domain:finance",
    origin: at(12, 3),
  });
  expect(rule?.columns).toEqual([
    {
      pattern: "*email*",
      nativeTypes: ["VARCHAR*"],
      facets: new Map([["columns.tags", { shape: "set", members: ["urn:li:tag:pii"], origin: at(16, 5) }]]),
      origin: at(16, 5),
    },
  ]);
  expect(rule?.references.map(({ urn }) => urn)).toContain("urn:li:corpGroup:finance-data");
});

test("`ignore_case` of the match is that of its patterns and exclusions, and beside tags that of the columns", async () => {
  const { rules, problems } = await desiredFrom({
    "catalog/a.yaml": `${head}match: { kind: Dataset, env: prod, not: { name: "*_TMP" }, ignore_case: true }
declare:
  columns:
    "*email*": { tags: [pii], not: "*_hash", ignore_case: true }
    "*phone*": { tags: [pii], not: [a, "b*"], ignore_case: false }
`,
  });
  expect(briefly(problems)).toEqual([]);
  expect(rules).toMatchObject([
    {
      conditions: [{ key: "env", patterns: ["prod"], ignoreCase: true }],
      exclusions: [[{ key: "name", patterns: ["*_TMP"], ignoreCase: true }]],
      columns: [
        { pattern: "*email*", not: ["*_hash"], ignoreCase: true },
        { pattern: "*phone*", not: ["a", "b*"] },
      ],
    },
  ]);
  expect(rules[0]?.columns[1]).not.toHaveProperty("ignoreCase");
});

describe("a pattern that looks like a regular expression has a warning", () => {
  test.each([
    ".*(email|phone).*",
    ".*email",
    "^prod",
    "prod$",
    "a|b",
    String.raw`prod\.finance`,
    "[a-z]*",
    "(?i)email",
  ])("%s", async (pattern) => {
    const text = JSON.stringify(pattern);
    const { problems } = await desiredFrom({
      "catalog/a.yaml": `${head}match: { kind: Dataset, not: { name: [a, ${text}] } }\ndeclare: { columns: { ${text}: { tags: [a], native_type: ${text}, not: ${text} } } }\n`,
      "catalog/b.yaml": `kind: Policy\nid: p\nmatch: { kind: Dataset, name: ${text} }\nrequire: { owners: { min: 1 } }\n`,
    });
    const hints = problems.filter(({ code }) => code === "looks-like-regex");
    expect(hints.map(({ severity }) => severity)).toEqual(Array.from({ length: 5 }, () => "warning"));
  });

  test.each(["prod.finance.*", "customer.*", "v$session", "*.*_tmp", "a.*.b", "x[0]", "a (b)"])(
    "but not %s",
    async (pattern) => {
      const text = JSON.stringify(pattern);
      const { problems } = await desiredFrom({
        "catalog/a.yaml": `${head}match: { kind: Dataset, name: ${text} }\ndeclare: { columns: { ${text}: { tags: [a] } } }\n`,
      });
      expect(problems.filter(({ code }) => code === "looks-like-regex")).toEqual([]);
    },
  );
});

// A name, a manifest file, its problems as "line:column code & the other place (suggestion)".
const rows: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "no boolean for the case",
    `${head}match: { kind: Dataset, ignore_case: yes please }\ndeclare: { tags: [a] }\n`,
    ["3:38 wrong-type"],
  ],
  ["a misspelt key", `${head}${match}declare: { domian: a }\n`, ["4:12 unknown-field (domain)"]],
  [
    "a misspelt key of the match",
    `${head}match: { kind: Dataset, platfrom: x }\ndeclare: { tags: [a] }\n`,
    ["3:25 unknown-field (platform)"],
  ],
  [
    "a match by tags",
    `${head}match: { kind: Dataset, tags: [a] }\ndeclare: { tags: [a] }\n`,
    ["3:25 match-by-facet"],
  ],
  [
    "a match by owners in a list of exclusions",
    `${head}match: { kind: Dataset, not: [{ owners: [a] }] }\ndeclare: { tags: [a] }\n`,
    ["3:33 match-by-facet"],
  ],
  [
    "a match by domain in one exclusion",
    `${head}match: { kind: Dataset, not: { domain: a } }\ndeclare: { tags: [a] }\n`,
    ["3:32 match-by-facet"],
  ],
  [
    "the environment of a container",
    `${head}match: { kind: Container, env: PROD }\ndeclare: { tags: [a] }\n`,
    ["3:27 match-not-of-kind"],
  ],
  [
    "columns of containers",
    `${head}match: { kind: Container, name: a }\ndeclare: { columns: { a: { tags: [b] } } }\n`,
    ["4:12 match-not-of-kind"],
  ],
  [
    "an environment that is none",
    `${head}match: { kind: Dataset, env: [PRODUCTION, "QA*", STG], not: [{ env: prod }] }\ndeclare: { tags: [a] }\n`,
    ["3:31 unknown-value", "3:69 unknown-value (PROD)"],
  ],
  ["no match", `${head}declare: { tags: [a] }\n`, ["1:1 missing-field"]],
  ["no id", `kind: Rule\n${match}declare: { tags: [a] }\n`, ["1:1 missing-field"]],
  ["a match without kind", `${head}match: { platform: x }\ndeclare: { tags: [a] }\n`, ["3:1 missing-field"]],
  [
    "a kind that is created, not observed",
    `${head}match: { kind: Tag }\ndeclare: { tags: [a] }\n`,
    ["3:16 unknown-value"],
  ],
  [
    "a misspelt kind of the match",
    `${head}match: { kind: Datasets }\ndeclare: { tags: [a] }\n`,
    ["3:16 unknown-value (Dataset)"],
  ],
  [
    "an empty list of patterns",
    `${head}match: { kind: Dataset, name: [] }\ndeclare: { tags: [a] }\n`,
    ["3:31 empty-list"],
  ],
  [
    "an empty pattern",
    `${head}match: { kind: Dataset, name: "" }\ndeclare: { tags: [a] }\n`,
    ["3:31 empty-text"],
  ],
  [
    "an empty pattern in a list",
    `${head}match: { kind: Dataset, name: [a, ""] }\ndeclare: { tags: [a] }\n`,
    ["3:35 empty-text"],
  ],
  [
    "an empty exclusion",
    `${head}match: { kind: Dataset, not: {} }\ndeclare: { tags: [a] }\n`,
    ["3:30 empty-mapping"],
  ],
  [
    "an empty list of exclusions",
    `${head}match: { kind: Dataset, not: [] }\ndeclare: { tags: [a] }\n`,
    ["3:30 empty-list"],
  ],
  ["nothing declared", `${head}${match}`, ["1:1 empty-rule"]],
  ["an empty `declare`", `${head}${match}declare: {}\n`, ["4:1 empty-rule"]],
  ["null for `declare`", `${head}${match}declare:\n`, ["4:1 null-value"]],
  ["a list for `declare`", `${head}${match}declare: [tags]\n`, ["4:10 wrong-type ({ owners: [tags] })"]],
  [
    "what it declares at its top",
    `${head}domain: finance\n${match}tags: [a]\ncolumns:\n  email: { tags: [b] }\n`,
    ["3:1 misplaced-facets (declare: { domain: finance, tags: [a], columns: … })"],
  ],
  [
    "one facet beside `declare`",
    `${head}${match}declare: { domain: a }\ntags: [a]\n`,
    ["5:1 misplaced-facets (declare: { tags: [a] })"],
  ],
  [
    "columns of containers at its top",
    `${head}match: { kind: Container }\ncolumns: {}\n`,
    ["4:1 match-not-of-kind"],
  ],
  [
    "a mode below `declare`",
    `${head}${match}declare: { tags: [a], manage: { tags: merge } }\n`,
    ["4:23 unknown-field"],
  ],
  [
    "a column without tags",
    `${head}${match}declare: { columns: { a: { native_type: TEXT } } }\n`,
    ["4:23 missing-one-of"],
  ],
  [
    "an empty pattern of a column",
    `${head}${match}declare: { columns: { "": { tags: [a] } } }\n`,
    ["4:23 empty-text"],
  ],
  ["null for tags", `${head}${match}declare:\n  tags:\n`, ["5:3 null-value (tags: [])"]],
  ["null for the domain", `${head}${match}declare:\n  domain:\n`, ["5:3 null-value (domain: none)"]],
  [
    "null for a pattern",
    `${head}match: { kind: Dataset, name: }\ndeclare: { tags: [a] }\n`,
    ["3:25 null-value"],
  ],
  [
    "a number for a pattern",
    `${head}match: { kind: Dataset, name: 5 }\ndeclare: { tags: [a] }\n`,
    ['3:31 wrong-type ("5")'],
  ],
  ["a text as priority", `${head}${match}priority: high\ndeclare: { tags: [a] }\n`, ["4:11 wrong-type"]],
  ["an identity", `${head}${match}urn: x\ndeclare: { tags: [a] }\n`, ["4:1 unknown-field"]],
  ["a malformed value", `${head}${match}declare: { domain: urn:li:tag:a }\n`, ["4:20 wrong-reference"]],
  [
    "a mode of a facet that it cannot have",
    `${head}${match}declare: { tags: [a] }\nmanage: { members: merge }\n`,
    ["5:11 unknown-field"],
  ],
];

describe("of a rule", () => {
  test.each(rows)("%s is a problem", async (_, text, expected) => {
    const { problems } = await desiredOf(text);

    expect(inOneFile(problems)).toEqual(expected);
  });
});

const rule = (id: string, tag = "a"): string =>
  `kind: Rule\nid: ${id}\n${match}declare: { tags: [${tag}] }\n`;

test("one mode of a rule is that of every facet that it could declare", async () => {
  const { rules, problems } = await desiredOf(`${rule("r")}manage: merge\n`);

  expect(problems).toEqual([]);
  const declarable = facetsOf("Dataset").filter(({ schema }) => schema !== undefined);
  expect(rules[0]?.manage).toEqual(Object.fromEntries(declarable.map(({ name }) => [name, "merge"])));
});

test("two rules of one id are a problem at both places", async () => {
  const { problems, rules } = await desiredOf(`${rule("r")}---\n${rule("r")}`);

  expect(inOneFile(problems)).toEqual(["6:1 duplicate-rule & 1:1"]);
  expect(rules).toHaveLength(1);
});

test("a document leaves rules out", async () => {
  const { exempt, problems } = await desiredOf(
    `${rule("r")}---\nkind: Container\nurn: urn:li:container:a\nexempt: [r]\n`,
  );

  expect(problems).toEqual([]);
  expect(exempt).toEqual(new Map([["urn:li:container:a", new Set(["r"])]]));
});

test("to leave out a rule that does not exist is a problem with what was meant", async () => {
  const { problems } = await desiredOf(
    `${rule("finance")}---\nkind: Container\nurn: urn:li:container:a\nexempt: [finanse]\n`,
  );

  expect(inOneFile(problems)).toEqual(["8:10 unknown-rule (finance)"]);
});

test("a rule warns of a tag that is nearly declared", async () => {
  const { problems } = await desiredOf(`${rule("r", "confidental")}---\nkind: Tag\nid: confidential\n`);

  expect(inOneFile(problems)).toEqual(["4:19 undeclared-reference (confidential)"]);
});
