import { describe, expect, test } from "vitest";
import { facetNamed } from "../../../src/facets/index.ts";
import type { Edit, ListEdit, NewValue, Path } from "../../../src/manifests/edit/edit.ts";
import { editManifests } from "../../../src/manifests/edit/edit-manifests.ts";
import type { Json } from "../../../src/model/json.ts";
import { memberKey } from "../../../src/model/state.ts";

function listEdit(facet: string, add: readonly Json[], remove: readonly Json[] = []): ListEdit {
  const keyOf = (written: Json): string | undefined => {
    const parsed = facetNamed(facet).parse(written);
    return "value" in parsed && parsed.value !== null ? memberKey(parsed.value as string) : undefined;
  };
  return { type: "list", add, remove, keyOf };
}

const tags = (add: readonly Json[], remove: readonly Json[] = []): Edit =>
  at(["tags"], listEdit("tags", add, remove));
const owners = (add: readonly Json[], remove: readonly Json[] = []): Edit =>
  at(["owners"], listEdit("owners", add, remove));
const scalar = (value: string | number | null, ...path: Path): Edit => at(path, { type: "scalar", value });
const gone = (...path: Path): Edit => at(path, { type: "gone" });

function at(path: Path, value: NewValue, manifest = 0): Edit {
  return { manifest, path, value };
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
    [tags(["x", "y"], ["a"])],
    "tags:\n- b\n- x\n- y\ndomain: d\n",
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
    [scalar("n", "name")],
    "name: n\ndescription: d\n",
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
    [scalar("b", "members", 0, "title")],
    "members: [{ id: u, title: b }, v]\n",
  ),
  row(
    "kind: Group\nid: g\n",
    "a field of an element that goes, goes with it",
    "members: [{ id: u, title: a }, v]\n",
    [scalar("b", "members", 0, "title"), at(["members"], listEdit("members", ["w"], ["u"]))],
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
  row(container, "a list goes", "tags:\n  - a\n# next\ndomain: d\n", [gone("tags")], "# next\ndomain: d\n"),
  row(
    "{ kind: Tag, ",
    "a key goes from braces",
    "description: a, id: t }\n",
    [gone("description")],
    "id: t }\n",
  ),
];

describe.each([
  ["lists", lists],
  ["single values", scalars],
  ["keys", keys],
] as const)("%s:", (_, rows) => {
  test.each(rows)("%s", (_title, before, edits, after) => {
    expect(editManifests({ name: "a.yaml", text: before }, edits)).toEqual({ text: after, refused: [] });
  });

  test.each(rows)("with other line ends, too: %s", (_title, before, edits, after) => {
    const [text, expected] = [before, after].map((each) => `\uFEFF${each.replaceAll("\n", "\r\n")}`);
    const edited = editManifests({ name: "a.yaml", text: text ?? "" }, edits);
    expect(edited.text).toBe(expected);
  });
});

const dataset = "kind: Dataset\nplatform: s\nname: ";

test("the n-th manifest is found among documents and lists", () => {
  const text = `# first\n---\n${tag}---\n- ${container.replace("\n", "\n  ")}  tags: [a]\n- kind: Tag\n  id: u\n  name: n\n`;
  const edited = editManifests({ name: "a.yaml", text }, [
    at(["tags"], listEdit("tags", ["b"]), 1),
    at(["name"], { type: "scalar", value: "m" }, 2),
  ]);
  expect(edited).toEqual({ text: text.replace("[a]", "[a, b]").replace("name: n", "name: m"), refused: [] });
});

test("a column is found by its name", () => {
  const text = `${dataset}d\ncolumns:\n  id: { tags: [a] }\n  customer.email:\n    tags: []\n`;
  const email = at(["columns", "customer.email", "tags"], listEdit("columns.tags", ["pii"]));
  const id = at(["columns", "id", "tags"], listEdit("columns.tags", [], ["a"]));
  expect(editManifests({ name: "a.yaml", text }, [email, id])).toEqual({
    text: `${dataset}d\ncolumns:\n  id: { tags: [] }\n  customer.email:\n    tags:\n      - pii\n`,
    refused: [],
  });
});

/** Two manifests of one document, so that the second one can repeat what the first one says. */
const both = (first: string, second: string): string =>
  `- kind: Container\n  urn: urn:li:container:a\n  ${first}\n- kind: Container\n  urn: urn:li:container:b\n  ${second}\n`;

const refusals: readonly (readonly [string, string, Edit, string])[] = [
  [
    "a value that an alias repeats",
    both("tags: &t [a]", "tags: *t"),
    at(["tags"], listEdit("tags", ["b"]), 1),
    "alias",
  ],
  ["a value that an alias repeats elsewhere", both("tags: &t [a]", "tags: *t"), tags(["b"]), "layout"],
  [
    "a value of a merged mapping",
    both("<<: &m { domain: x }", "<<: *m"),
    at(["domain"], { type: "scalar", value: "z" }, 1),
    "merge-key",
  ],
  ["an anchor that others need", both("tags: [&a a, b]", "tags: [*a]"), tags([], ["a"]), "layout"],
  ["a key that is not there", tag, scalar("n", "name"), "absent"],
  ["a manifest that is not there", tag, at(["name"], { type: "scalar", value: "n" }, 1), "absent"],
  ["a value that is no colour", `${tag}color_hex: "#000000"\n`, scalar("red", "color_hex"), "invalid"],
  ["an empty text", `${tag}description: x\n`, scalar("", "description"), "invalid"],
  ["a name that is unset", `${tag}name: x\n`, scalar(null, "name"), "invalid"],
  ["a list for a single value", `${container}tags: [a]\n`, scalar("a", "tags"), "layout"],
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
