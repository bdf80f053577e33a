import { expect, test } from "vitest";
import { expiryProblems } from "../../src/manifests/policies/policy-set.ts";
import { briefly, desiredFrom, inOneFile } from "../support/manifest-files.ts";

const head = "kind: Policy\nid: p\n";
const match = "match: { kind: Dataset }\n";

test("a policy is read with all that it matches and requires", async () => {
  const { policies, problems } = await desiredFrom({
    "catalog/a.yaml": `kind: Policy
id: prod-governed
description: Production data has a domain and a steward.
severity: warning
match: { kind: Dataset, env: PROD, tags: [pii, tier-*], not: { name: "*_tmp" } }
require:
  domain: true
  tags: false
  owners: { type: DATA_STEWARD, kind: user, active: true, min: 1, max: 3 }
  glossary_terms: { any_of: [a.*], none_of: [old] }
  description: { pattern: "?*" }
check: asset.owners.size() > 0
coverage: { min_percent: 80 }
fail_on: any
message: "{name} has no steward"
`,
  });

  expect(briefly(problems)).toEqual([]);
  const at = (line: number, column: number) => ({ file: "catalog/a.yaml", line, column });
  expect(policies).toEqual([
    {
      id: "prod-governed",
      description: "Production data has a domain and a steward.",
      severity: "warning",
      kind: "Dataset",
      conditions: [
        { key: "env", patterns: ["PROD"], origin: at(5, 25) },
        { key: "tags", patterns: ["pii", "tier-*"], origin: at(5, 36) },
      ],
      exclusions: [[{ key: "name", patterns: ["*_tmp"], origin: at(5, 64) }]],
      requirements: [
        { facet: "domain", present: true, origin: at(7, 3) },
        { facet: "tags", present: false, origin: at(8, 3) },
        {
          facet: "owners",
          types: ["DATA_STEWARD"],
          ownerKind: "user",
          active: true,
          min: 1,
          max: 3,
          origin: at(9, 3),
        },
        { facet: "glossary_terms", anyOf: ["a.*"], noneOf: ["old"], origin: at(10, 3) },
        { facet: "description", pattern: "?*", origin: at(11, 3) },
      ],
      check: "asset.owners.size() > 0",
      checkOrigin: at(12, 1),
      minPercent: 80,
      failOn: "any",
      message: "{name} has no steward",
      origin: at(1, 1),
    },
  ]);
});

test("a policy is read with allowed values that are numbers and truth values, also below columns", async () => {
  const values = "{ p: { one_of: [90, 1.5, true, '90 d'] } }";
  const { policies, problems } = await desiredFrom({
    "catalog/a.yaml": `${head}${match}require: { description: { one_of: [1] }, links: { one_of: [false] }, structured_properties: ${values} }
---
kind: Policy
id: q
${match}columns: { require: { structured_properties: ${values} } }
`,
  });

  expect(briefly(problems)).toEqual([]);
  const [ofEntity, ofColumns] = policies;
  expect(ofEntity?.requirements.map(({ oneOf }) => oneOf)).toEqual([
    ["1"],
    ["false"],
    ["90", "1.5", "true", "90 d"],
  ]);
  expect(ofColumns?.columns?.requirements[0]?.oneOf).toEqual(["90", "1.5", "true", "90 d"]);
});

test("a policy of columns is read with the facets of columns", async () => {
  const { policies, problems } = await desiredFrom({
    "catalog/a.yaml": `${head}${match}columns: { match: { name: "*mail*", tags: pii }, require: { description: true } }\n`,
  });

  expect(briefly(problems)).toEqual([]);
  expect(policies[0]?.columns).toMatchObject({
    conditions: [
      { key: "name", patterns: ["*mail*"] },
      { key: "columns.tags", patterns: ["pii"] },
    ],
    requirements: [{ facet: "columns.description", present: true }],
  });
});

test("a waiver is read with the day on which it expires", async () => {
  const { waivers, problems } = await desiredFrom({
    "catalog/a.yaml": `${head}${match}require: { domain: true }
---
kind: Waiver
policy: p
match: { name: "prod.legacy.*" }
reason: Replaced, DATA-412.
expires: 2027-01-31
`,
  });

  expect(briefly(problems)).toEqual([]);
  expect(waivers).toMatchObject([
    {
      policy: "p",
      conditions: [{ key: "name", patterns: ["prod.legacy.*"] }],
      exclusions: [],
      reason: "Replaced, DATA-412.",
      expires: "2027-01-31",
      origin: { line: 6 },
    },
  ]);
});

test.each([
  [
    "a definition",
    "kind: Policy\nid: p\nmatch: { kind: Domain, name: F* }\nrequire: { owners: { min: 1 } }\n",
  ],
  ["a term", "kind: Policy\nid: p\nmatch: { kind: GlossaryTerm }\nrequire: { owners: true }\n"],
])("a policy can be about %s", async (_, text) => {
  const { policies, problems } = await desiredFrom({ "catalog/a.yaml": text });

  expect(briefly(problems)).toEqual([]);
  expect(policies).toHaveLength(1);
});

const waiver = (rest: string): string =>
  `${head}${match}require: { domain: true }\n---\nkind: Waiver\npolicy: p\nmatch: { name: a }\nreason: r\n${rest}`;

test.each([
  ["no kind", `${head}match: { env: PROD }\nrequire: { domain: true }\n`, ["3:1 missing-field"]],
  ["an unknown facet", `${head}${match}require: { domian: true }\n`, ["4:12 unknown-field (domain)"]],
  [
    "an unknown key",
    `${head}match: { kind: Dataset, nam: a }\nrequire: { domain: true }\n`,
    ["3:25 unknown-field (name)"],
  ],
  ["nothing required", `${head}${match}`, ["1:1 missing-one-of"]],
  ["a facet with a number", `${head}${match}require: { domain: 3 }\n`, ["4:20 wrong-type"]],
  [
    "a filter that the facet does not have",
    `${head}${match}require: { tags: { active: true } }\n`,
    ["4:20 unknown-field"],
  ],
  [
    "both kinds of verdicts",
    `${head}${match}require: { domain: true }\ncolumns: { require: { tags: true } }\n`,
    ["5:1 conflicting-fields"],
  ],
  ["a misspelt field", `${head}${match}check: asset.ownerz.size() > 0\n`, ["4:14 bad-expression"]],
  [
    "a misspelt field in quotes",
    `${head}${match}check: 'asset.owners.all(o, o.tipe == "x")'\n`,
    ["4:31 bad-expression"],
  ],
  ["an expression in a block", `${head}${match}check: |\n  asset.name\n`, ["5:3 bad-expression"]],
  ["a regular expression", `${head}${match}check: asset.name.matches("a")\n`, ["4:8 bad-expression"]],
  [
    "a name that no message has",
    `${head}${match}require: { domain: true }\nmessage: "{owner}"\n`,
    ["5:10 unknown-value"],
  ],
  [
    "too high a share",
    `${head}${match}require: { domain: true }\ncoverage: { min_percent: 120 }\n`,
    ["5:26 out-of-range"],
  ],
  ["a waiver that does not expire", waiver(""), ["6:1 missing-field"]],
  ["no day", waiver("expires: 31.1.2027\n"), ["10:10 malformed-day"]],
  ["a day that no calendar has", waiver("expires: 2027-02-30\n"), ["10:10 malformed-day"]],
])("%s is a problem with its place", async (_, text, expected) => {
  const { problems } = await desiredFrom({ "catalog/a.yaml": text });

  expect(inOneFile(problems)).toEqual(expected);
});

test("two policies of one id are a problem, and a waiver of none is", async () => {
  const policy = `${head}${match}require: { domain: true }\n`;
  const { problems } = await desiredFrom({
    "catalog/a.yaml": `${policy}---\n${policy}---\nkind: Waiver\npolicy: q\nmatch: { name: a }\nreason: r\nexpires: 2027-01-31\n`,
  });

  expect(inOneFile(problems)).toEqual(["6:1 duplicate-policy & 1:1", "12:9 unknown-policy"]);
});

test.each([
  ["2026-11-23", "waiver-expired"],
  ["2026-11-24", "waiver-expires"],
  ["2026-12-08", "waiver-expires"],
  ["2026-12-09", undefined],
  ["2027-05-23", undefined],
  ["2027-05-24", "waiver-too-long"],
])("a waiver until %s gives %s on 2026-11-24", (expires, code) => {
  const origin = { file: "catalog/a.yaml", line: 1, column: 1 };
  const one = { policy: "p", conditions: [], exclusions: [], reason: "r", expires, origin };

  expect(expiryProblems([one], "2026-11-24").map((problem) => problem.code)).toEqual(
    code === undefined ? [] : [code],
  );
});

test("a pattern of more than 1,000 characters is refused, where policies match and where they require", async () => {
  const long = "a".repeat(1001);
  const { problems } = await desiredFrom({
    "catalog/a.yaml": `${head}match: { kind: Dataset, name: "${long}" }
require: { description: { pattern: "${long}" }, tags: { any_of: ["${long}"] } }
---
kind: Rule
id: r
match: { kind: Dataset, name: ["a", "${long}"] }
declare: { tags: [t] }
`,
  });

  expect(briefly(problems)).toEqual(
    ["3:31", "4:36", "4:1060", "8:37"].map((at) => `catalog/a.yaml:${at} invalid-value`),
  );
});

test("problems about one field of a policy, a waiver or a rule stand at it, and name it", async () => {
  const { problems, waivers } = await desiredFrom({
    "catalog/a.yaml": `kind: Policy
id: prod-governed
match: { kind: Dataset }
---
kind: Waiver
policy: prod_governed
match: { name: x }
reason: r
expires: 2027-08-01
`,
  });
  expect(briefly(problems)).toEqual(["catalog/a.yaml:1:1 missing-one-of"]);
  expect(problems[0]?.args).toMatchObject({ field: "Policy", fields: ["require", "check", "columns"] });
  const [late] = expiryProblems(waivers, "2026-11-24");
  expect(late).toMatchObject({ code: "waiver-too-long", origin: { line: 9, column: 10 } });
});
