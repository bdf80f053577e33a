import { expect, test } from "vitest";
import { briefly } from "../../support/manifest-files.ts";
import { declaredOf, imported, ownerKey as owner } from "./imported.ts";

const head = "version: 1\nowners: { users: [ada] }\n";

const term = (id: string): string => `urn:li:glossaryTerm:${id}`;
const ada = owner("urn:li:corpuser:ada", "__system__developer");

test("a term takes over source, address and owners of the file, and the node above it", async () => {
  const text = `${head}source: Acme\nurl: https://acme.com\nsource_type: EXTERNAL\nnodes: [{ name: A B, description: "", terms: [{ name: C, description: D }] }]\n`;
  expect(await declaredOf(term("A-B.C"), text)).toEqual({
    name: "C",
    definition: "D",
    parent_node: "urn:li:glossaryNode:A-B",
    term_source: "EXTERNAL",
    source_ref: "Acme",
    source_url: "https://acme.com",
    owners: [ada],
  });
  expect(await declaredOf("urn:li:glossaryNode:A-B", text)).toEqual({ name: "A B", owners: [ada] });
});

test("a term has what it says itself, and owners are those of the nearest node that has some", async () => {
  const text = `${head}source: Acme
nodes:
  - name: A
    description: D
    owners: [{ type: data_steward, groups: [team] }]
    nodes:
      - { name: B, description: D, terms: [{ name: C, description: D, term_source: INTERNAL, source_ref: Own, owners: null }] }
`;
  expect(await declaredOf(term("A.B.C"), text)).toMatchObject({
    term_source: "INTERNAL",
    source_ref: "Own",
    owners: [owner("urn:li:corpGroup:team", "__system__data_steward")],
  });
});

// The list `owners` of a term, what it declares.
test.each([
  ["{ users: [ada, ada, urn:li:corpuser:ada] }", [ada]],
  ["{ users: ['urn:li:corpGroup:team'] }", [owner("urn:li:corpGroup:team", "__system__developer")]],
  ["{ groups: ['a, b'] }", [owner("urn:li:corpGroup:a%2C b", "__system__developer")]],
  ["{ type: '', users: [ada] }", [ada]],
  ["{ type: producer, users: [ada] }", [owner("urn:li:corpuser:ada", "__system__producer")]],
  ["{ type: urn:li:ownershipType:auditor, users: [ada] }", [owner("urn:li:corpuser:ada", "auditor")]],
  ["{ typeUrn: urn:li:ownershipType:auditor, users: [ada] }", [owner("urn:li:corpuser:ada", "auditor")]],
  ["{ type: CUSTOM, typeUrn: urn:li:ownershipType:a, users: [b] }", [owner("urn:li:corpuser:b", "a")]],
  ["[{ users: [ada] }, { type: NONE, users: [b] }]", [ada, owner("urn:li:corpuser:b", "__system__none")]],
  ["[]", []],
  ["{}", []],
])("owners %s", async (owners, members) => {
  const text = `${head}terms: [{ name: T, description: D, owners: ${owners} }]\n`;
  expect(await declaredOf(term("T"), text)).toMatchObject({ owners: members });
});

// `id` and `name` of a term below the node A, and its URN.
test.each([
  [undefined, "B", term("A.B")],
  ["own", "B", term("own")],
  ["a (b)", "B", term("a (b)")],
  [term("41516e31"), "B", term("41516e31")],
  [undefined, "none", term("A.none")],
  [undefined, "B.C", term("A.B.C")],
])("a term with the id %s and the name %s is %s", async (id, name, urn) => {
  const entry = JSON.stringify({ id, name, description: "D" });
  const text = `${head}nodes: [{ name: A, description: D, terms: [${entry}] }]\n`;
  expect(await declaredOf(urn, text)).toMatchObject({ name, parent_node: "urn:li:glossaryNode:A" });
});

const others = `nodes:
  - { name: A, description: D, id: own-node, terms: [{ name: Plain, description: D }, { name: With id, description: D, id: own }] }
`;

// What a term inherits, without and with automatic ids.
test.each([
  ["A.Plain", term("A.Plain"), term("7807c75e07f078b8b92c0bda1d1385a9")],
  ["A.With id", term("own"), term("own")],
  ["own", term("own"), term("own")],
  [term("elsewhere"), term("elsewhere"), term("elsewhere")],
  ["Not here", term("Not-here"), term("18d6e0f27f285feec47981fd0e6bcab5")],
])("inherits %s", async (reference, plain, automatic) => {
  const text = `${head}${others}terms: [{ name: T, id: t, description: D, inherits: ["${reference}", "${reference}"] }]\n`;
  expect(await declaredOf(term("t"), text)).toMatchObject({ inherits: [plain] });
  expect(await declaredOf(term("t"), text, true)).toMatchObject({ inherits: [automatic] });
});

test("of a term and a node of one path a reference means the term, and of two terms the last one", async () => {
  const text = `${head}terms:
  - { name: T, id: t, description: D, contains: [A, B] }
  - { name: A, id: a, description: D }
  - { name: B, id: b1, description: D }
  - { name: B, id: b2, description: D }
nodes: [{ name: A, id: n, description: D }]
`;
  expect(await declaredOf(term("t"), text)).toMatchObject({ contains: [term("a"), term("b2")] });
});

test("`none` is a text, as the source reads it", async () => {
  const text = `${head}terms: [{ name: none, description: none, domain: none, source_ref: none }]\n`;
  expect(await declaredOf(term("none"), text)).toMatchObject({
    name: "none",
    definition: "none",
    domain: "urn:li:domain:none",
    source_ref: "none",
  });
});

test("a term whose source is left out does not have that of the file", async () => {
  const text = `${head}source_type: EXTERNAL\nterms: [{ name: T, description: D, term_source: FIBO }]\n`;
  expect(await declaredOf(term("T"), text)).toEqual({ name: "T", definition: "D", owners: [ada] });
});

test("what no manifest can declare is left out with its line", async () => {
  const { leftOut, problems, state } = await imported(`version: "1"
owners: { type: CUSTOM, users: [ada] }
source_type: FIBO
nodes:
  - name: A
    description: D
    knowledge_links: [{ label: L, url: https://acme.com }]
    terms:
      - name: B
        description: D
        custom_properties: { level: 3 }
        term_source: internal
      - { name: C, description: D, custom_properties: {}, knowledge_links: null }
`);
  expect(briefly(problems)).toEqual([]);
  expect(leftOut.map(({ origin, what }) => `${origin.line}:${origin.column} ${what}`)).toEqual([
    "2:11 the owners with type CUSTOM, which does not identify an ownership type",
    '3:1 source_type "FIBO", which is neither INTERNAL nor EXTERNAL',
    "7:5 knowledge_links of A",
    "11:9 custom_properties of A.B",
    '12:9 term_source "internal", which is neither INTERNAL nor EXTERNAL',
  ]);
  expect(state.size).toBe(3);
});

const inTerm = (fields: string): string => `${head}terms: [{ name: T, description: D, ${fields} }]\n`;

// A name, the file, its problems.
test.each<readonly [string, string | Buffer, readonly string[]]>([
  ["no YAML", `${head}terms: [`, ["g.yml:3:8 yaml-syntax"]],
  ["bytes that are no text", Buffer.from([0, 1, 2]), ["g.yml:1:1 binary-file"]],
  ["nothing", "", ["g.yml:1:1 not-importable"]],
  ["only a comment", "# later\n", ["g.yml:1:1 not-importable"]],
  ["a text", "Not Found\n", ["g.yml:1:1 not-importable"]],
  ["a list", "[{ name: a }]\n", ["g.yml:1:1 not-importable"]],
  ["a manifest", "kind: Tag\nid: pii\n", ["g.yml:1:1 not-importable"]],
  ["another version", "version: 2\nowners: {}\nterms: []\n", ["g.yml:1:10 unknown-value"]],
  ["no owners", "version: 1\nterms: []\n", ["g.yml:1:1 missing-field"]],
  ["owners without a value", "version: 1\nowners:\nterms: []\n", ["g.yml:2:1 null-value"]],
  ["owners that are a text", "version: 1\nowners: ada\nterms: []\n", ["g.yml:2:9 wrong-type"]],
  ["an unknown field", `${head}terms: []\nnode: []\n`, ["g.yml:4:1 unknown-field (nodes)"]],
  ["a level that is a mapping", `${head}nodes: { name: A }\n`, ["g.yml:3:8 wrong-type ([{ name: A }])"]],
  ["a level that is a list of texts", `${head}terms: [A]\n`, ["g.yml:3:9 wrong-type"]],
  [
    "an entry without its fields",
    `${head}terms: [{}]\n`,
    ["g.yml:3:9 missing-field", "g.yml:3:9 missing-field"],
  ],
  [
    "a name that is a number",
    `${head}terms: [{ name: 5, description: D }]\n`,
    ['g.yml:3:17 wrong-type ("5")'],
  ],
  ["an empty name", `${head}terms: [{ name: "", description: D }]\n`, ["g.yml:3:17 empty-text"]],
  ["an empty id", inTerm('id: ""'), ["g.yml:3:40 empty-text"]],
  ["a term below a term", inTerm("terms: []"), ["g.yml:3:36 unknown-field"]],
  ["a relation that is a text", inTerm("inherits: A"), ["g.yml:3:46 wrong-type ([A])"]],
  ["an owner that is a number", inTerm("owners: { users: [5] }"), ['g.yml:3:54 wrong-type ("5")']],
  ["an unknown field of owners", inTerm("owners: [{ user: ada }]"), ["g.yml:3:47 unknown-field (users)"]],
  [
    "an unknown ownership type",
    inTerm("owners: { type: steward, users: [ada] }"),
    ["g.yml:3:52 unknown-ownership-type (DATA_STEWARD)"],
  ],
  [
    "the URN of something else as type",
    inTerm("owners: { type: urn:li:tag:a, users: [ada] }"),
    ["g.yml:3:52 wrong-reference"],
  ],
  ["the URN of a node as id of a term", inTerm("id: urn:li:glossaryNode:a"), ["g.yml:3:40 wrong-reference"]],
  [
    "a name that leaves no id",
    `${head}terms: [{ name: "!!!", description: D }]\n`,
    ["g.yml:3:17 malformed-urn"],
  ],
  ["a term that inherits itself", inTerm("inherits: [T]"), ["g.yml:3:47 self-reference"]],
  [
    "a node as a related term",
    `${head}${others}terms: [{ name: T, description: D, values: [A] }]\n`,
    ["g.yml:5:45 wrong-reference"],
  ],
  ["an environment variable", inTerm(`domain: "\${DOMAIN}"`), ["g.yml:3:44 environment-variable"]],
  [
    "two entries of one id",
    `${head}terms: [{ name: A B, description: D }, { name: A-B, description: D }]\n`,
    ["g.yml:3:40 duplicate-entity & g.yml:3:9"],
  ],
])("%s has its problems", async (_, text, expected) => {
  const { problems } = await imported(text);
  expect(briefly(problems)).toEqual(expected);
});

test("owners that many entries take over have their problem once", async () => {
  const { problems } = await imported(
    `version: 1\nowners: { type: STEWARD, users: [ada] }\nterms: [{ name: A, description: D }, { name: B, description: D }]\n`,
  );
  expect(briefly(problems)).toEqual(["g.yml:2:17 unknown-ownership-type (DATA_STEWARD)"]);
});

test("terms may be related to each other", async () => {
  const text = `${head}terms: [{ name: A, description: D, related_terms: [B] }, { name: B, description: D, related_terms: [A] }]\n`;
  expect(await declaredOf(term("A"), text)).toMatchObject({ related_terms: [term("B")] });
});

test("a text in braces that is no variable stays, and so does one that begins with a dollar sign", async () => {
  const text = `${head}terms: [{ name: $5, description: "{a} $b" }]\n`;
  expect(await declaredOf(term("5"), text)).toMatchObject({ name: "$5", definition: "{a} $b" });
});

test("a wrong version is answered with the right one, once", async () => {
  const { problems } = await imported("version: 2\nowners: {}\nterms: []\n");
  expect(problems).toMatchObject([{ code: "unknown-value", args: { value: "2", allowed: ["1"] } }]);
});
