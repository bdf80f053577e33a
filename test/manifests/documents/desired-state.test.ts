import { expect, test } from "vitest";
import { pathKey } from "../../../src/model/place.ts";
import { readDesired } from "../../../src/manifests/documents/desired-state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { briefly, desiredFrom, desiredOf, inOneFile, withFiles } from "../../support/manifest-files.ts";
import { argOf } from "../../support/problem-args.ts";
import type { Desired } from "../../../src/manifests/base/desired.ts";

const invoices = `kind: Dataset
platform: snowflake
name: prod.finance.invoices
env: PROD
platform_instance: eu
domain: finance
owners:
  - { group: finance-data }
  - { user: alice@acme.com, type: DATA_STEWARD }
tags: [tier-1, finance]
columns:
  customer.email: { tags: [pii] }
`;
const invoicesUrn = "urn:li:dataset:(urn:li:dataPlatform:snowflake,eu.prod.finance.invoices,PROD)" as Urn;

test("a dataset becomes an entity with its facets, each at the place of its key", async () => {
  const { state, problems } = await desiredOf(invoices);

  const file = "catalog/a.yaml";
  expect(problems).toEqual([]);
  expect([...state.values()]).toEqual([
    {
      urn: invoicesUrn,
      kind: "Dataset",
      origin: { file, line: 3, column: 1 },
      facets: new Map<string, unknown>([
        ["domain", { shape: "scalar", value: "urn:li:domain:finance", origin: { file, line: 6, column: 1 } }],
        [
          "owners",
          {
            shape: "set",
            members: [
              {
                owner: "urn:li:corpGroup:finance-data",
                type: "urn:li:ownershipType:__system__technical_owner",
              },
              {
                owner: "urn:li:corpuser:alice@acme.com",
                type: "urn:li:ownershipType:__system__data_steward",
              },
            ],
            origin: { file, line: 7, column: 1 },
          },
        ],
        [
          "tags",
          {
            shape: "set",
            members: ["urn:li:tag:finance", "urn:li:tag:tier-1"],
            origin: { file, line: 10, column: 1 },
          },
        ],
        [
          "columns.tags",
          {
            shape: "map",
            entries: new Map([
              [
                "customer.email",
                { shape: "set", members: ["urn:li:tag:pii"], origin: { file, line: 12, column: 3 } },
              ],
            ]),
          },
        ],
      ]),
    },
  ]);
});

test("each reference carries the place of its element", async () => {
  const { references } = await desiredOf(invoices);

  const shown = Array.from(
    references,
    ({ urn, entityType, facet, path, origin }) =>
      `${origin.line}:${origin.column} ${facet} ${pathKey(path)} ${entityType} ${urn}`,
  );
  expect(shown).toEqual([
    "6:9 domain  domain urn:li:domain:finance",
    "8:5 owners  corpGroup urn:li:corpGroup:finance-data",
    "8:5 owners  ownershipType urn:li:ownershipType:__system__technical_owner",
    "9:5 owners  corpuser urn:li:corpuser:alice@acme.com",
    "9:5 owners  ownershipType urn:li:ownershipType:__system__data_steward",
    "10:8 tags  tag urn:li:tag:tier-1",
    "10:16 tags  tag urn:li:tag:finance",
    "12:28 columns.tags customer.email tag urn:li:tag:pii",
  ]);
});

const facetRows: readonly (readonly [string, string, string, unknown])[] = [
  ["a plain `none` unsets", "domain: none", "domain", null],
  ["a quoted none is the text", 'domain: "none"', "domain", "urn:li:domain:none"],
  ["a single-quoted none is the text", "domain: 'none'", "domain", "urn:li:domain:none"],
  ["a block none is the text", "domain: |-\n  none", "domain", "urn:li:domain:none"],
  ["an empty list is managed and empty", "tags: []", "tags", []],
  ["an absent key is not managed", "", "tags", undefined],
  ["a tag may be a URN", "tags: ['urn:li:tag:a']", "tags", ["urn:li:tag:a"]],
  ["a tag may hold spaces, slashes and emoji", "tags: ['a b/c 🦆']", "tags", ["urn:li:tag:a b/c 🦆"]],
  ["brackets and commas of an id are encoded", "tags: ['a(b),c']", "tags", ["urn:li:tag:a%28b%29%2Cc"]],
  ["a quoted number is a text", "tags: ['00123']", "tags", ["urn:li:tag:00123"]],
  [
    "a word that YAML 1.1 takes for a boolean is a text",
    "tags: [yes, on]",
    "tags",
    ["urn:li:tag:on", "urn:li:tag:yes"],
  ],
  ["a tagged number is a text", "tags: [!!str 00123]", "tags", ["urn:li:tag:00123"]],
  ["a date is a text", "tags: [2024-01-31]", "tags", ["urn:li:tag:2024-01-31"]],
];

test.each(facetRows)("%s", async (_, text, facet, expected) => {
  const { state, problems } = await desiredOf(`kind: Container\nurn: urn:li:container:c\n${text}\n`);

  const value = state.get("urn:li:container:c" as Urn)?.facets.get(facet);
  expect(problems).toEqual([]);
  expect(value && (value.shape === "set" ? value.members : value.shape === "scalar" && value.value)).toEqual(
    expected,
  );
});

const nameRows: readonly (readonly [string, string, string])[] = [
  ["platform and name", "{ platform: x, name: a.b }", "(urn:li:dataPlatform:x,a.b,PROD)"],
  ["an instance", "{ platform: x, name: a, platform_instance: eu }", "(urn:li:dataPlatform:x,eu.a,PROD)"],
  ["another environment", "{ platform: x, name: a, env: DEV }", "(urn:li:dataPlatform:x,a,DEV)"],
  ["a platform by URN", "{ platform: 'urn:li:dataPlatform:x', name: a }", "(urn:li:dataPlatform:x,a,PROD)"],
  ["commas and brackets", "{ platform: x, name: 'a,(b)' }", "(urn:li:dataPlatform:x,a%2C%28b%29,PROD)"],
  [
    "spaces, slashes and emoji",
    "{ platform: x, name: 's3://a b/🦆' }",
    "(urn:li:dataPlatform:x,s3://a b/🦆,PROD)",
  ],
];

test.each(nameRows)("a dataset is named by %s", async (_, fields, key) => {
  const { state, problems } = await desiredOf(`- { kind: Dataset, ${fields.slice(1)}\n`);

  expect(problems).toEqual([]);
  expect([...state.keys()]).toEqual([`urn:li:dataset:${key}`]);
});

test("columns without tags, and no columns, manage nothing", async () => {
  const base = "kind: Dataset\nplatform: x\nname: ";
  const { state } = await desiredOf(`${base}a\ncolumns: {}\n---\n${base}b\ncolumns: { c: {} }\n`);

  expect([...state.values()].map(({ facets }) => facets.size)).toEqual([0, 0]);
});

const columnRows: readonly (readonly [string, string])[] = [
  ["2024", "2024"],
  ["00123", "00123"],
  ["yes", "yes"],
  ["null", "null"],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
  ["'a: b'", "a: b"],
  ["'[version=2.0].[type=struct].[type=string].email'", "[version=2.0].[type=struct].[type=string].email"],
];

test.each(columnRows)("a column may be called %s", async (key, column) => {
  const { state, problems } = await desiredOf(
    `kind: Dataset\nplatform: x\nname: a\ncolumns:\n  ${key}: { tags: [t] }\n`,
  );

  const value = [...state.values()][0]?.facets.get("columns.tags");
  expect(problems).toEqual([]);
  expect(value?.shape === "map" && [...value.entries.keys()]).toEqual([column]);
});

test("merge keys take over what is not written, at the place where it is written", async () => {
  const { state, problems } = await desiredOf(`- &base
  kind: Container
  urn: urn:li:container:a
  domain: finance
  tags: [x]
- <<: *base
  urn: urn:li:container:b
  tags: []
`);

  const merged = state.get("urn:li:container:b" as Urn)?.facets;
  expect(problems).toEqual([]);
  expect(merged?.get("domain")).toMatchObject({ value: "urn:li:domain:finance", origin: { line: 4 } });
  expect(merged?.get("tags")).toMatchObject({ members: [], origin: { line: 8 } });
});

test("an alias repeats a value at its own place", async () => {
  const { state, references } = await desiredOf(
    "kind: Container\nurn: urn:li:container:a\ndomain: &d none\ntags: &t [x, y]\n---\nkind: Container\nurn: urn:li:container:b\ndomain: &n none\nowners: []\ntags: [*n]\n",
  );

  expect(state.get("urn:li:container:a" as Urn)?.facets.get("domain")).toMatchObject({ value: null });
  expect([...references].at(-1)).toMatchObject({ urn: "urn:li:tag:none", origin: { line: 10, column: 8 } });
});

test("several documents, lists, both endings and nested folders are read, other and hidden files are not", async () => {
  const tag = (id: string) => `kind: Tag\nid: ${id}\n`;

  const { state, files, documents, problems } = await desiredFrom({
    "catalog/a.yaml": `# only a comment\n---\n${tag("a")}---\n---\n- { kind: Tag, id: b }\n- { kind: Tag, id: c }\n...\n`,
    "catalog/b/c/d.yml": tag("d"),
    "catalog/empty.yaml": "",
    "catalog/comment.yaml": "# nothing yet\n",
    "catalog/.hidden.yaml": "]",
    "catalog/.git/x.yaml": "]",
    "catalog/README.md": "]",
    "catalog/datahub-gitops.yaml": "version: 1\n",
  });

  expect(problems).toEqual([]);
  expect([...state.keys()].map((urn) => urn.split(":").at(-1))).toEqual(["a", "b", "c", "d"]);
  expect([files, documents]).toEqual([4, 4]);
});

test("a settings file of another name is no manifest either", async () => {
  await withFiles(
    { "catalog/a.yaml": "kind: Tag\nid: a\n", "catalog/prod.yaml": "version: 1\n" },
    async (cwd) => {
      const { problems } = await readDesired("catalog", { cwd, settings: "catalog/prod.yaml" });

      expect(problems).toEqual([]);
    },
  );
});

test.each([
  ["a byte order mark", "\uFEFFkind: Tag\nid: a\n"],
  ["line ends of Windows", "kind: Tag\r\nid: a\r\ndescription: |\r\n  x\r\n"],
  ["a directive", "%YAML 1.2\n---\nkind: Tag\nid: a\n"],
  ["no last line end", "kind: Tag\nid: a"],
])("%s does no harm", async (_, text) => {
  const { state, problems } = await desiredOf(text);

  expect(problems).toEqual([]);
  expect([...state.values()]).toMatchObject([
    { urn: "urn:li:tag:a", origin: { line: text.startsWith("%") ? 3 : 1, column: 1 } },
  ]);
});

test("the documented fields of domains, tags, users and groups are taken", async () => {
  const { problems, state } = await desiredOf(`kind: Domain
id: finance
name: Finance
description: none
parent_domain: none
owners: [{ group: finance-data }]
---
kind: Tag
id: pii
name: PII
color_hex: "#C0392B"
owners: [{ user: alice@acme.com }]
---
kind: User
id: alice@acme.com
display_name: Alice Doe
department_id: 7
manager_urn: urn:li:corpuser:bob@acme.com
groups: [finance-data]
---
kind: Group
id: finance-data
display_name: Finance Data
members: [alice@acme.com, { id: bob@acme.com, display_name: Bob }]
owners: [alice@acme.com, { user: "urn:li:corpuser:bob@acme.com", type: DATA_STEWARD }]
`);

  expect(problems).toEqual([]);
  expect([...state.values()].map(({ kind, facets }) => `${kind} ${facets.size}`)).toEqual([
    "Domain 4",
    "Tag 3",
    "User 4",
    "Group 3",
    "User 1",
  ]);
});

test("references to kinds that are declared nowhere are not warned of", async () => {
  const { problems } = await desiredOf(invoices);

  expect(problems).toEqual([]);
});

test("an undeclared entity is warned of once, at its first place", async () => {
  const { problems } = await desiredOf(
    "- { kind: Tag, id: pii }\n- { kind: Container, urn: 'urn:li:container:a', tags: [piii, gold] }\n- { kind: Container, urn: 'urn:li:container:b', tags: [piii] }\n",
  );

  expect(inOneFile(problems)).toEqual(["2:56 undeclared-reference (pii)", "2:62 undeclared-reference"]);
  expect(problems.map((each) => [each.severity, argOf(each, "times")])).toEqual([
    ["warning", 2],
    ["warning", 1],
  ]);
});

test("nothing is said of a reference to a user that belongs to DataHub itself", async () => {
  const { problems } = await desiredOf(
    "- { kind: User, id: alice }\n- { kind: Container, urn: 'urn:li:container:a', owners: [{ user: datahub }, { user: bob }] }\n",
  );

  expect(inOneFile(problems)).toEqual(["2:77 undeclared-reference"]);
});

test("an insecure picture link is taken with a warning, of an inline user as well", async () => {
  const { problems } = await desiredOf(`
kind: Group
id: g
picture_link: http://example.org/g.png
members: [{ id: a, picture_link: HTTP://example.org/a.png }, { id: b, picture_link: https://example.org/b.png }]
`);

  expect(inOneFile(problems)).toEqual(["4:15 insecure-link", "5:34 insecure-link"]);
  expect(problems.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
});

test("an address without @, and a country that is no code of two letters, are taken with a warning", async () => {
  const { problems } = await desiredOf(`
- { kind: User, id: a, email: foo, country_code: GERMANY }
- { kind: User, id: b, email: b@acme.com, country_code: de }
- { kind: Group, id: g, email: finance }
`);

  expect(inOneFile(problems)).toEqual(["2:31 looks-wrong", "2:50 looks-wrong", "4:32 looks-wrong"]);
  expect(problems.map(({ severity }) => severity)).toEqual(["warning", "warning", "warning"]);
});

test("a platform that DataHub has in lower case is taken with a warning that suggests it; others are not known", async () => {
  const named = (platform: string): string =>
    `- { kind: Dataset, platform: ${platform}, name: ${platform.toLowerCase().replaceAll(":", "-")} }`;
  const platforms = ["BigQuery", "urn:li:dataPlatform:Snowflake", "bigquery", "OurOwn", "adlsGen2"];
  const { problems } = await desiredOf(platforms.map(named).join("\n"));

  expect(problems.map((each) => [each.code, each.severity, argOf(each, "suggestion")])).toEqual([
    ["looks-wrong", "warning", "bigquery"],
    ["looks-wrong", "warning", "urn:li:dataPlatform:snowflake"],
  ]);
});

test("a reference with a letter too few is a slip, also where two letters are left", async () => {
  const { problems } = await desiredOf(
    "- { kind: Tag, id: pii }\n- { kind: Container, urn: 'urn:li:container:a', tags: [pi] }\n",
  );

  expect(problems.map((each) => [each.code, argOf(each, "suggestion")])).toEqual([
    ["undeclared-reference", "pii"],
  ]);
});

test("an asset is where its name is, and a definition where its manifest begins", async () => {
  const { state } = await desiredOf(
    "kind: Dataset\nplatform: hive\nname: a\n---\nkind: Container\nurn: urn:li:container:a\n---\nkind: Tag\nid: a\n",
  );

  expect([...state.values()].map(({ kind, origin }) => [kind, origin?.line])).toEqual([
    ["Dataset", 3],
    ["Container", 6],
    ["Tag", 8],
  ]);
});

test("many undeclared entities of a kind are one warning without a place, the likely slips apart", async () => {
  const tags = Array.from({ length: 40 }, (_, index) => `other-${index}`);
  const { problems } = await desiredOf(
    `- { kind: Tag, id: confidential }\n- { kind: Container, urn: 'urn:li:container:a', tags: [${tags.join(", ")}, confidental] }\n`,
  );

  expect(problems.map((each) => [each.code, argOf(each, "count") ?? argOf(each, "suggestion")])).toEqual([
    ["undeclared-references", 40],
    ["undeclared-reference", "confidential"],
  ]);
  expect(problems.map(({ origin }) => origin?.line)).toEqual([undefined, 2]);
});

test("a display name in place of an id is warned of with the id, also beside many others", async () => {
  const others = Array.from({ length: 40 }, (_, index) => `other ${index}`);
  const { problems } = await desiredOf(`
- { kind: Domain, id: 2fb, name: Sales EMEA }
- { kind: Domain, id: urn:li:domain:elsewhere, name: "(EU), sales" }
- { kind: Container, urn: 'urn:li:container:a', domain: sales emea }
- { kind: Container, urn: 'urn:li:container:b', domain: (EU), tags: [Sales EMEA] }
- { kind: Container, urn: 'urn:li:container:c', domain: "(EU), sales" }
${others.map((domain) => `- { kind: Container, urn: 'urn:li:container:${domain.replace(" ", "-")}', domain: ${domain} }`).join("\n")}
`);

  const found = problems.map((problem) => [problem.code, argOf(problem, "id"), argOf(problem, "named")]);
  expect(found).toEqual([
    ["undeclared-references", undefined, undefined],
    ["undeclared-reference", "sales emea", ["2fb"]],
    ["undeclared-reference", "(EU), sales", ["elsewhere"]],
  ]);
});

test("nothing is said of undeclared references when a file could not be read", async () => {
  const { problems } = await desiredFrom({
    "catalog/a.yaml": "- { kind: Tag, id: a }\n- { kind: Container, urn: 'urn:li:container:a', tags: [b] }\n",
    "catalog/b.yaml": "kind: Tag\nid: [b\n",
  });

  expect(briefly(problems)).toEqual(["catalog/b.yaml:2:5 yaml-syntax"]);
});

test("the order in which files are found changes nothing", async () => {
  const one = { "catalog/b.yaml": "kind: Tag\nid: 1\n", "catalog/a.yaml": "kind: Tag\nid: 2\n" };
  const other = { "catalog/a.yaml": "kind: Tag\nid: 2\n", "catalog/b.yaml": "kind: Tag\nid: 1\n" };

  const [first, second] = [await desiredFrom(one), await desiredFrom(other)];
  expect([...first.state]).toEqual([...second.state]);
  const unpacked = ({ declarations }: Desired) =>
    declarations.map(({ entity, references, inline }) => ({ entity, references, inline }));
  expect(unpacked(first)).toEqual(unpacked(second));
  expect(first.problems).toEqual(second.problems);
});

test("three thousand problems come at once, sorted", async () => {
  const text = Array.from({ length: 3000 }, (_, index) => `- { kind: Tag, id: ${index} }`).join("\n");

  const { problems } = await desiredOf(text);

  expect(problems.map(({ origin }) => origin?.line)).toEqual(
    Array.from({ length: 3000 }, (_, index) => index + 1),
  );
});
