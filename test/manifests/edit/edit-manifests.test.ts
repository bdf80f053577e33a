import { describe, expect, test } from "vitest";
import { facetNamed } from "../../../src/facets/index.ts";
import type { Edit, NewValue } from "../../../src/manifests/edit/edit.ts";
import { editManifests } from "../../../src/manifests/edit/edit-manifests.ts";
import type { Json } from "../../../src/model/json.ts";
import type { Place } from "../../../src/model/place.ts";
import type { Member, Scalar } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { datasetNamed } from "../../support/states.ts";

/** Elements of a facet, from what a manifest may write for them. */
function membersOf(facet: string, written: readonly Json[]): readonly Member[] {
  return written.map((each) => {
    const parsed = facetNamed(facet).parse(each);
    if (!("value" in parsed)) throw new Error(`${facet} does not take ${JSON.stringify(each)}`);
    return parsed.value as Member;
  });
}

const urn = (text: string): Urn => text as Urn;
const theContainer = urn("urn:li:container:c");
const theTag = urn("urn:li:tag:t");
const theGroup = urn("urn:li:corpGroup:g");

function elements(of: Urn, place: Place, add: readonly Json[], remove: readonly Json[] = []): Edit {
  const { facet } = place;
  return at(of, place, {
    type: "elements",
    add: membersOf(facet, add),
    remove: membersOf(facet, remove),
  });
}

const tags = (add: readonly Json[], remove: readonly Json[] = [], of = theContainer): Edit =>
  elements(of, { facet: "tags" }, add, remove);
const owners = (add: readonly Json[], remove: readonly Json[] = []): Edit =>
  elements(theContainer, { facet: "owners" }, add, remove);
const scalar = (value: Scalar, facet: string, of = theTag): Edit =>
  at(of, { facet }, { type: "scalar", value });
const gone = (facet: string, of = theTag): Edit => at(of, { facet }, { type: "undeclared" });

function at(of: Urn, place: Place, value: NewValue): Edit {
  return { urn: of, ...place, value };
}

const container = "kind: Container\nurn: urn:li:container:c\n";
const tag = "kind: Tag\nid: t\n";

/** A manifest before and after some edits, none of which is refused. */
type Row = readonly [title: string, before: string, edits: readonly Edit[], after: string];

function row(start: string, title: string, before: string, edits: readonly Edit[], after: string): Row {
  return [title, start + before, edits, start + after];
}

const lists: readonly Row[] = [
  row(
    container,
    "a list keeps the comments of the elements that stay",
    "# above\ntags: # why\n  # one\n  - a # first\n  # two\n  - finance # second\n\n  - c\n# below\ndomain: d\n",
    [tags(["d"], ["urn:li:tag:finance"])],
    "# above\ntags: # why\n  # one\n  - a # first\n  # two\n\n  - c\n  - d\n# below\ndomain: d\n",
  ),
  row(
    container,
    "a list that is not indented stays so",
    "tags:\n- a\n- b\ndomain: d\n",
    [tags(["x", "z"], ["a"])],
    "tags:\n- b\n- x\n- z\ndomain: d\n",
  ),
  row(
    container,
    "a list that becomes empty is `[]`",
    "tags: # why\n  - a # x\n  # left\n  - b\n",
    [tags([], ["a", "b"])],
    "tags: [] # why\n  # left\n",
  ),
  row(
    container,
    "`[]` becomes a list",
    "tags: [] # none\ndomain: d\n",
    [tags(["a", "b"])],
    "tags: # none\n  - a\n  - b\ndomain: d\n",
  ),
  row(
    container,
    "all elements can give way to others",
    "tags:\n  - a\n  - b\n",
    [tags(["c"], ["a", "b"])],
    "tags:\n  - c\n",
  ),
  row(
    container,
    "a list in brackets stays in brackets",
    "tags: [a, b,c ] # why\n",
    [tags(["x y", "p,q"], ["b"])],
    'tags: [a, c, x y, "p,q" ] # why\n',
  ),
  row(
    container,
    "the first and the last leave brackets",
    "tags: [a, b, c]\n",
    [tags([], ["a", "c"])],
    "tags: [b]\n",
  ),
  row(
    container,
    "the last ones leave brackets",
    "tags: [ a, b, c ]\n",
    [tags([], ["b", "c"])],
    "tags: [ a ]\n",
  ),
  row(container, "all leave brackets", "tags: [a, b]\n", [tags([], ["a", "b"])], "tags: []\n"),
  row(container, "all in brackets give way", "tags: [ a, b ]\n", [tags(["c"], ["a", "b"])], "tags: [ c ]\n"),
  row(
    container,
    "brackets keep a comma at the end",
    "tags: [a, b, ]\n",
    [tags(["c"], ["b"])],
    "tags: [a, c, ]\n",
  ),
  row(
    container,
    "brackets over several lines lose and gain lines",
    "tags: [\n  a, # first\n  b, # second\n  c # third\n]\n",
    [tags(["d"], ["b"])],
    "tags: [\n  a, # first\n  c, # third\n  d\n]\n",
  ),
  row(
    container,
    "the last line in brackets goes",
    "tags: [\n  a,\n  b\n]\n",
    [tags([], ["b"])],
    "tags: [\n  a,\n]\n",
  ),
  row(
    container,
    "a new element has the quotes of the others",
    "tags: ['a', 'b']\n",
    [tags(["c"])],
    "tags: ['a', 'b', 'c']\n",
  ),
  row(
    container,
    "texts that YAML takes for something else are quoted",
    "tags:\n  - a\n",
    [tags(["1", "true", "x: y", "#z"])],
    'tags:\n  - a\n  - "1"\n  - "true"\n  - "x: y"\n  - "#z"\n',
  ),
  row(
    container,
    "texts that older readers of YAML take for something else are quoted as `fmt` does",
    "tags:\n  - a\n",
    [tags(["no", "y"])],
    'tags:\n  - a\n  - "no"\n  - "y"\n',
  ),
  row(
    container,
    "comments in brackets stay when all elements go",
    "tags: [\n  # first\n  a, # one\n  b,\n  # last\n]\n",
    [tags([], ["a", "b"])],
    "tags: [\n  # first\n  # last\n]\n",
  ),
  row(
    container,
    "comments in brackets stay when all elements give way",
    "tags: [\n  # first\n  a, # one\n  b\n]\n",
    [tags(["c", "d"], ["a", "b"])],
    "tags: [\n  # first\n  c,\n  d\n]\n",
  ),
  row(
    container,
    "owners in braces",
    "owners:\n  - { group: a }\n  - { user: b, type: DATA_STEWARD } # who\n",
    [owners([{ user: "c", type: "CONSUMER" }], [{ group: "urn:li:corpGroup:a", type: "TECHNICAL_OWNER" }])],
    "owners:\n  - { user: b, type: DATA_STEWARD } # who\n  - { user: c, type: CONSUMER }\n",
  ),
  row(
    container,
    "braces without spaces stay so",
    "owners: [{group: a}]\n",
    [owners([{ user: "b" }])],
    "owners: [{group: a}, {user: b}]\n",
  ),
  row(
    container,
    "owners in lines",
    "owners:\n  - user: a\n    # who\n    type: CONSUMER\n  # next\n  - group: b\n",
    [owners([{ user: "c", type: "CONSUMER" }], [{ user: "a", type: "CONSUMER" }])],
    "owners:\n  # next\n  - group: b\n  - user: c\n    type: CONSUMER\n",
  ),
  row(
    container,
    "the same element is not added again",
    "tags: [urn:li:tag:a]\n",
    [tags(["a"], ["b"])],
    "tags: [urn:li:tag:a]\n",
  ),
  row(
    container,
    "a file without a line end keeps it so",
    "tags:\n  - a",
    [tags(["b"])],
    "tags:\n  - a\n  - b",
  ),
  row(
    container,
    "the last line goes from a file without a line end",
    "tags:\n  - a\n  - b",
    [tags([], ["b"])],
    "tags:\n  - a",
  ),
  row(
    container,
    "an element that is an alias goes",
    "manage: { tags: &m merge }\ntags:\n  - *m\n  - b\n",
    [tags([], ["merge"])],
    "manage: { tags: &m merge }\ntags:\n  - b\n",
  ),
];

const deprecation = (value: Scalar): Edit => scalar(value, "deprecation", theContainer);

const severalFields: readonly Row[] = [
  row(
    container,
    "a field of a value changes by itself",
    "deprecation:\n  # why\n  note: Old # first\n  decommission_time: 2027-06-30 # end\n",
    [deprecation({ note: "New", decommission_time: "2027-06-30" })],
    "deprecation:\n  # why\n  note: New # first\n  decommission_time: 2027-06-30 # end\n",
  ),
  row(
    container,
    "a field of a value goes, and another comes",
    "deprecation:\n  note: a # first\n  decommission_time: 2027-06-30\ntags: [t]\n",
    [deprecation({ note: "a", replacement: "urn:li:tag:x" })],
    "deprecation:\n  note: a # first\n  replacement: urn:li:tag:x\ntags: [t]\n",
  ),
  row(
    container,
    "a value in braces stays in braces",
    "deprecation: { note: a, decommission_time: 2027-06-30 } # why\n",
    [deprecation({ decommission_time: "2027-07-01" })],
    'deprecation: { decommission_time: "2027-07-01" } # why\n',
  ),
  row(
    container,
    "a value without fields is `{}`",
    "deprecation: # why\n  note: a\ntags: [t]\n",
    [deprecation({})],
    "deprecation: {} # why\ntags: [t]\n",
  ),
  row(
    container,
    "a value without fields gets some",
    "deprecation: {} # why\n",
    [deprecation({ note: "a" })],
    "deprecation: { note: a } # why\n",
  ),
  row(
    container,
    "a value in the place of `none`",
    "deprecation: none # why\ntags: [t]\n",
    [deprecation({ note: "a" })],
    "deprecation: { note: a } # why\ntags: [t]\n",
  ),
  row(
    container,
    "`none` in the place of a value",
    "deprecation:\n  note: a\n  decommission_time: 2027-06-30\ntags: [t]\n",
    [deprecation(null)],
    "deprecation: none\ntags: [t]\n",
  ),
];

const scalars: readonly Row[] = [
  row(tag, "a plain text", "name: Old # why\n", [scalar("New name", "name")], "name: New name # why\n"),
  row(
    tag,
    "quotes stay",
    "name: 'Old'\ndescription: \"a\"\n",
    [scalar("it's", "name"), scalar('"b"', "description")],
    "name: 'it''s'\ndescription: \"\\\"b\\\"\"\n",
  ),
  row(
    tag,
    "a text that needs quotes gets them",
    "name: Old\n",
    [scalar("a: b #c", "name")],
    'name: "a: b #c"\n',
  ),
  row(tag, "a number as text is quoted", "name: Old\n", [scalar("00123", "name")], 'name: "00123"\n'),
  row(
    tag,
    "unset is `none`",
    "description: Old # why\n",
    [scalar(null, "description")],
    "description: none # why\n",
  ),
  row(
    tag,
    "the text none is quoted",
    "description: none\n",
    [scalar("none", "description")],
    'description: "none"\n',
  ),
  row(
    tag,
    "several lines",
    "description: Old\nname: n\n",
    [scalar("a\nb", "description")],
    "description: |-\n  a\n  b\nname: n\n",
  ),
  row(
    tag,
    "several lines before a comment are quoted",
    "description: Old # why\n",
    [scalar("a\nb", "description")],
    'description: "a\\nb" # why\n',
  ),
  row(
    tag,
    "several long lines before a comment stay on one line",
    "description: Old # why\n",
    [scalar(`${"long ".repeat(10)}one\n${"long ".repeat(10)}two`, "description")],
    `description: "${"long ".repeat(10)}one\\n${"long ".repeat(10)}two" # why\n`,
  ),
  row(
    tag,
    "a text with a comma before a comment has no quotes",
    "description: Old # why\n",
    [scalar("a, b", "description")],
    "description: a, b # why\n",
  ),
  row(
    tag,
    "a block of text stays one",
    "description: | # why\n  one\n  two\n\n# next\nname: n\n",
    [scalar("one\n\nthree\n", "description")],
    "description: | # why\n  one\n\n  three\n\n# next\nname: n\n",
  ),
  row(
    tag,
    "a block of text becomes one line",
    "description: |\n  one\n  two\nname: n\n",
    [scalar("one", "description")],
    "description: one\nname: n\n",
  ),
  row(
    tag,
    "a text over several lines",
    "name: some\n  long name\ndescription: d\n",
    [scalar("short", "name")],
    "name: short\ndescription: d\n",
  ),
  row(tag, "a colour", 'color_hex: "#C0392B"\n', [scalar("#000000", "color_hex")], 'color_hex: "#000000"\n'),
  row(
    "- kind: Tag\n  id: t\n",
    "a manifest in a list",
    "  description: a\n",
    [scalar("b\nc", "description")],
    "  description: |-\n    b\n    c\n",
  ),
  row(
    "{ kind: Tag, id: t, ",
    "a manifest in braces",
    "description: a }\n",
    [scalar("b, c", "description")],
    'description: "b, c" }\n',
  ),
  row(
    "kind: Group\nid: g\n",
    "a user that a group writes out",
    "members: [{ id: u, title: a }, v]\n",
    [scalar("b", "title", urn("urn:li:corpuser:u"))],
    "members: [{ id: u, title: b }, v]\n",
  ),
  row(
    "kind: Group\nid: g\n",
    "a field of an element that goes, goes with it",
    "members: [{ id: u, title: a }, v]\n",
    [scalar("b", "title", urn("urn:li:corpuser:u")), elements(theGroup, { facet: "members" }, ["w"], ["u"])],
    "members: [v, w]\n",
  ),
];

const keys: readonly Row[] = [
  row(
    tag,
    "a key goes with its lines",
    "description: |\n  a\n  b\nname: n\n",
    [gone("description")],
    "name: n\n",
  ),
  row(
    container,
    "a list goes",
    "tags:\n  - a\n# next\ndomain: d\n",
    [gone("tags", theContainer)],
    "# next\ndomain: d\n",
  ),
  row(
    "{ kind: Tag, ",
    "a key goes from braces",
    "description: a, id: t }\n",
    [gone("description")],
    "id: t }\n",
  ),
];

const theDataset = datasetNamed("d");
const columnTags = (column: string): Place => ({ facet: "columns.tags", path: [column] });
const dataset = "kind: Dataset\nplatform: snowflake\nname: d\n";

const declared: readonly Row[] = [
  row(
    tag,
    "a field comes behind those before it in the order of `fmt`",
    "# of the colour\ncolor_hex: '#C0392B'\nowners: [{ user: a }]\n",
    [scalar("New", "name"), scalar("none", "description")],
    "name: New\ndescription: \"none\"\n# of the colour\ncolor_hex: '#C0392B'\nowners: [{ user: a }]\n",
  ),
  row(
    container,
    "comments within a field stay with it",
    "domain: d # why\n  # more\n# next\nowners:\n  - user: a\n  # - user: b\n",
    [tags(["a"])],
    "domain: d # why\n  # more\n# next\nowners:\n  - user: a\n  # - user: b\ntags: [a]\n",
  ),
  row(
    dataset,
    "the first column",
    "tags: []\n",
    [elements(theDataset, columnTags("a b"), ["pii"])],
    "tags: []\ncolumns:\n  a b: { tags: [pii] }\n",
  ),
  row(
    dataset,
    "a column beside others, one of which goes",
    "columns:\n  # first\n  a: { tags: [x] } # x\n  # second\n  b: { tags: [x] }\n",
    [elements(theDataset, columnTags("c"), ["pii"]), at(theDataset, columnTags("a"), { type: "undeclared" })],
    "columns:\n  # first\n  # second\n  b: { tags: [x] }\n  c: { tags: [pii] }\n",
  ),
  row(
    dataset,
    "a column in the place of the only one",
    "columns:\n  a:\n    tags: [x]\nmanage: {}\n",
    [elements(theDataset, columnTags("c"), ["pii"]), at(theDataset, columnTags("a"), { type: "undeclared" })],
    "columns:\n  c: { tags: [pii] }\nmanage: {}\n",
  ),
  row(
    dataset,
    "all columns go with their key",
    "columns:\n  a: { tags: [x] }\n  b:\n    tags: [x]\nmanage: {}\n",
    ["a", "b"].map((column) => at(theDataset, columnTags(column), { type: "undeclared" })),
    "manage: {}\n",
  ),
  row(
    "{ kind: Dataset, platform: snowflake, name: d",
    "fields in braces",
    ", columns: { a: { tags: [x] } } }\n",
    [
      elements(theDataset, { facet: "tags" }, ["x"]),
      elements(theDataset, columnTags("b"), ["x"]),
      at(theDataset, columnTags("a"), { type: "undeclared" }),
    ],
    ", columns: { b: { tags: [x] } }, tags: [x] }\n",
  ),
  row(
    "- kind: Tag\n  id: t\n",
    "a text of several lines in a list",
    "- kind: Tag\n  id: u\n",
    [scalar("a\n\nb", "description")],
    "  description: |-\n    a\n\n    b\n- kind: Tag\n  id: u\n",
  ),
];

describe.each([
  ["lists", lists],
  ["values of several fields", severalFields],
  ["single values", scalars],
  ["keys", keys],
  ["new keys", declared],
] as const)("%s:", (_, rows) => {
  test.each(rows)("%s", (_title, before, edits, after) => {
    const edited = editManifests({ name: "a.yaml", text: before }, edits, { isDeclared: rows === declared });
    expect(edited).toEqual({ text: after, refused: [] });
  });

  test.each(rows)("with other line ends, too: %s", (_title, before, edits, after) => {
    const [text, expected] = [before, after].map((each) => `\uFEFF${each.replaceAll("\n", "\r\n")}`);
    const options = { isDeclared: rows === declared };
    const edited = editManifests({ name: "a.yaml", text: text ?? "" }, edits, options);
    expect(edited.text).toBe(expected);
  });
});

describe("the display name beside a single value", () => {
  const names = new Map([
    [urn("urn:li:domain:d1"), "The  Ledgers\n"],
    [urn("urn:li:domain:d2"), "Payments"],
    [urn("urn:li:domain:sales"), "Sales"],
  ]);

  test.each([
    ["becomes that of the new value", "d1   # The Ledgers", "urn:li:domain:d2", "d2   # Payments"],
    ["becomes that of the new value, in quotes", '"d1" # The Ledgers', "urn:li:domain:d2", '"d2" # Payments'],
    ["goes where the new id says the same", "d1 # The Ledgers", "urn:li:domain:sales", "sales"],
    ["goes where the new value has none", "d1 # The Ledgers", "urn:li:domain:d3", "d3"],
    ["goes with the value", "d1 # The Ledgers", null, "none"],
    ["stays where it shows another one", "d1 # Payments", "urn:li:domain:d2", "d2 # Payments"],
    ["stays with what somebody added", "d1 # The Ledgers!", "urn:li:domain:d2", "d2 # The Ledgers!"],
    ["stays where an export writes none", "sales # Sales", "urn:li:domain:d2", "d2 # Sales"],
    ["stays in a line of its own", "d1\n# The Ledgers", "urn:li:domain:d2", "d2\n# The Ledgers"],
    ["comes with no value that had none", "d1", "urn:li:domain:d2", "d2"],
    ["comes with no value that was unset", "none # The Ledgers", "urn:li:domain:d2", "d2 # The Ledgers"],
  ])("%s", (_, before, value, after) => {
    const text = `${container}domain: ${before}\ntags: [a]\n`;
    const edited = editManifests({ name: "a.yaml", text }, [scalar(value, "domain", theContainer)], {
      names,
    });
    expect(edited).toEqual({ text: text.replace(before, () => after), refused: [] });
  });
});

test("manifests are found among documents and lists", () => {
  const text = `# first\n---\n${tag}---\n- ${container.replace("\n", "\n  ")}  tags: [a]\n- kind: Tag\n  id: u\n  name: n\n`;
  const edited = editManifests({ name: "a.yaml", text }, [
    tags(["b"]),
    scalar("m", "name", urn("urn:li:tag:u")),
  ]);
  expect(edited).toEqual({ text: text.replace("[a]", "[a, b]").replace("name: n", "name: m"), refused: [] });
});

test("a column is found by its name", () => {
  const text = `${dataset}columns:\n  id: { tags: [a] }\n  customer.email:\n    tags: []\n`;
  const email = elements(theDataset, columnTags("customer.email"), ["pii"]);
  const id = elements(theDataset, columnTags("id"), [], ["a"]);
  expect(editManifests({ name: "a.yaml", text }, [email, id])).toEqual({
    text: `${dataset}columns:\n  id: { tags: [] }\n  customer.email:\n    tags:\n      - pii\n`,
    refused: [],
  });
});

/** Two manifests of one document, so that the second one can repeat what the first one says. */
const both = (first: string, second: string): string =>
  `- kind: Container\n  urn: urn:li:container:a\n  ${first}\n- kind: Container\n  urn: urn:li:container:b\n  ${second}\n`;
const theFirst = urn("urn:li:container:a");
const theSecond = urn("urn:li:container:b");

const refusals: readonly (readonly [string, string, Edit, string])[] = [
  ["a value that an alias repeats", both("tags: &t [a]", "tags: *t"), tags(["b"], [], theSecond), "alias"],
  [
    "a value that an alias repeats elsewhere",
    both("tags: &t [a]", "tags: *t"),
    tags(["b"], [], theFirst),
    "layout",
  ],
  [
    "a value of a merged mapping",
    both("<<: &m { domain: x }", "<<: *m"),
    scalar("urn:li:domain:z", "domain", theSecond),
    "merge-key",
  ],
  ["an anchor that others need", both("tags: [&a a, b]", "tags: [*a]"), tags([], ["a"], theFirst), "layout"],
  ["a key that is not there", tag, scalar("n", "name"), "absent"],
  ["an entity that is not there", tag, scalar("n", "name", theGroup), "absent"],
  ["a value that is no colour", `${tag}color_hex: "#000000"\n`, scalar("red", "color_hex"), "invalid"],
  ["an empty text", `${tag}description: x\n`, scalar("", "description"), "invalid"],
  ["a name that is unset", `${tag}name: x\n`, scalar(null, "name"), "invalid"],
  [
    "a list for a single value",
    `${container}tags: [a]\n`,
    scalar("urn:li:tag:a", "tags", theContainer),
    "layout",
  ],
  ["what is no YAML", "kind: [\n", scalar("n", "name"), "layout"],
];

test.each(refusals)("it refuses to edit %s", (_title, text, edit, fault) => {
  const edited = editManifests({ name: "a.yaml", text }, [edit]);
  expect(edited).toEqual({ text, refused: [{ edit, fault }] });
});

test("a refused edit does not keep the others from being made", () => {
  const text = `${tag}color_hex: "#000000"\ndescription: a\n`;
  const refused = scalar("red", "color_hex");
  expect(editManifests({ name: "a.yaml", text }, [refused, scalar("b", "description")])).toEqual({
    text: text.replace(": a\n", ": b\n"),
    refused: [{ edit: refused, fault: "invalid" }],
  });
});
