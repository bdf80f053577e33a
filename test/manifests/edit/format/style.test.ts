import { expect, test } from "vitest";
import { formatted } from "../../../../src/manifests/edit/format/formatted.ts";

const long = "Ledgers and invoices of all companies. ".repeat(4).trim();

test.each([
  ["kind and what identifies come first", "name: Pii\nid: a\nkind: Domain", "kind: Domain\nid: a\nname: Pii"],
  [
    "single values come before sets",
    "kind: Tag\nowners: []\nid: a\nname: Pii",
    "kind: Tag\nid: a\nname: Pii\nowners: []",
  ],
  [
    "maps and the modes come last",
    "manage: {}\ncolumns: {}\ntags: []\nkind: Dataset",
    "kind: Dataset\ntags: []\ncolumns: {}\nmanage: {}",
  ],
  [
    "of a rule, what it declares has the order and the lines of a manifest",
    "columns: { a: { tags: [b] } }\ndeclare: { columns: { a: { tags: [b] } }, domain: c }\nmatch: { kind: Dataset }\nkind: Rule\nid: r",
    "kind: Rule\nid: r\nmatch: { kind: Dataset }\ndeclare:\n  domain: c\n  columns:\n    a: { tags: [b] }\ncolumns:\n  a: { tags: [b] }",
  ],
  ["unknown fields come after all in their order", "z: 1\nb: 2\nkind: Tag", "kind: Tag\nz: 1\nb: 2"],
  ["a merge key comes after the kind", "a: 1\n<<: { id: b }\nkind: Tag", "kind: Tag\n<<: { id: b }\na: 1"],
  ["elements keep their order", "tags: [b, a]", "tags: [b, a]"],
  ["an alias keeps fields in order", "id: &a x\nkind: *a", "id: &a x\nkind: *a"],
  ["a short list is one line", "tags:\n- a\n- b", "tags: [a, b]"],
  [
    "a question mark is quoted within brackets, for readers of YAML 1.1",
    "tags:\n- a?\n- b",
    'tags: ["a?", b]',
  ],
  [
    "an element that is a mapping is one line",
    "owners:\n- user: a\n  type: T",
    "owners: [{ user: a, type: T }]",
  ],
  [
    "several have a line each",
    "owners: [{user: a}, {group: b}]",
    "owners:\n  - { user: a }\n  - { group: b }",
  ],
  ["an anchor stays", "owners: &o [{user: a}]\nx: *o", "owners: &o [{ user: a }]\nx: *o"],
  ["columns have a line each", "columns: {a: {tags: [b]}}", "columns:\n  a: { tags: [b] }"],
  ["a mapping of texts is one line", "manage:\n  tags: merge", "manage: { tags: merge }"],
  ["a manifest has a line for each field", "{ kind: Tag, id: a }", "kind: Tag\nid: a"],
  ["manifests of a list are set apart", "- kind: Tag\n- kind: Tag", "- kind: Tag\n\n- kind: Tag"],
  [
    "documents are separated, not opened",
    "---\nkind: Tag\n\n---\n\nkind: Tag\n...",
    "kind: Tag\n---\nkind: Tag",
  ],
  ["empty documents go", "---\n---\nkind: Tag\n---", "kind: Tag"],
  ["several empty lines are one", "kind: Tag\n\n\n\nid: a", "kind: Tag\n\nid: a"],
  ["a text needs no quotes", "id: \"a b\"\nname: 'it''s: '", 'id: a b\nname: "it\'s: "'],
  ["a number as a text keeps its quotes", "id: '00123'\nname: '1e3'", 'id: "00123"\nname: "1e3"'],
  ["a number stays one", "id: 00123\nname: 0x1F\nx: ~\nz: true", "id: 00123\nname: 0x1F\nx: ~\nz: true"],
  [
    "what older readers take for something else is quoted",
    "a: no\nb: 12:30:45\nc: 2024-01-01",
    'a: "no"\nb: "12:30:45"\nc: "2024-01-01"',
  ],
  ["the word that unsets a value is not quoted", "domain: none\nname: 'none'", 'domain: none\nname: "none"'],
  ["a colour is in double quotes", "color_hex: '#C0392B'", 'color_hex: "#C0392B"'],
  [
    "what cannot be seen is written as its code",
    'a: "x\\u200By"\nb: "\\x7F"',
    'a: "x\\u200by"\nb: "\\u007f"',
  ],
  [
    "a text of several lines is a block",
    'a: "one\\ntwo\\n"\nb: "one\\ntwo"',
    "a: |\n  one\n  two\nb: |-\n  one\n  two",
  ],
  ["spaces at the end of a line are kept in quotes", 'a: "one \\ntwo"', 'a: "one \\ntwo"'],
  ["a short folded text is one line", "a: >-\n  one\n  two", "a: one two"],
  ["a tag stays", "id: !!str 00123", "id: !!str 00123"],
  ["a value that is missing stays so", "tags:\nid: a", "tags:\nid: a"],
])("%s", (_, text, result) => {
  expect(formatted(text)).toBe(`${result}\n`);
});

test.each([
  ["the first comment stays first", "# schema\nid: a\nkind: Tag", "# schema\nkind: Tag\nid: a"],
  [
    "a comment goes with its field",
    "kind: Tag\n# b\nname: b\n# a\nid: a # c",
    "kind: Tag\n# a\nid: a # c\n# b\nname: b",
  ],
  ["a comment in a list gives each element a line", "tags: [a, # x\n b]", "tags:\n  - a # x\n  - b"],
  [
    "a comment beside a key stays there",
    "owners: # x\n- user: a # y\n- user: b",
    "owners: # x\n  - user: a # y\n  - { user: b }",
  ],
  ["a comment beside a list in one line stays there", "tags: # x\n- a", "tags: [a] # x"],
  ["a comment before a value comes before the field", "id:\n  # x\n  a", "# x\nid: a"],
  ["a comment after the end of a document stays", "kind: Tag\n...\n# x", "kind: Tag\n\n# x"],
  ["a box of comments stays", "#\n# x\n#\nkind: Tag", "#\n# x\n#\nkind: Tag"],
  ["an element that is commented out stays in its list", "tags:\n  - a\n  # - b", "tags:\n  - a\n  # - b"],
  ["so does the first", "owners:\n  # - user: a\n  - user: b", "owners:\n  # - user: a\n  - { user: b }"],
  [
    "a comment beside an anchor comes before the field",
    "x: &o # c\n- a: {}\n- b: {}",
    "# c\nx: &o\n  - { a: {} }\n  - { b: {} }",
  ],
  ["a file of comments stays", "# x\n\n# y", "# x\n\n# y"],
])("%s", (_, text, result) => {
  expect(formatted(text)).toBe(`${result}\n`);
});

test("a long list has a line for each element, and a long text is folded between words", () => {
  const tags = Array.from({ length: 20 }, (_, index) => `tag-${index}`);
  const text = formatted(`tags: [${tags.join(", ")}]\ndescription: ${long} # x\n`) ?? "";
  const [first, ...lines] = text.split("\n");
  expect(first).toBe("tags:");
  expect(lines.slice(0, 20)).toEqual(tags.map((tag) => `  - ${tag}`));
  expect(lines[20]).toBe("description: >- # x");
  expect(
    lines
      .slice(21)
      .map((line) => line.trim())
      .join(" ")
      .trim(),
  ).toBe(long);
  expect(text.split("\n").filter((line) => line.length > 102)).toEqual([]);
});

test.each([
  ["not YAML", "kind: ["],
  ["a key twice", "id: a\nid: b"],
  ["an unknown tag", "id: !secret a"],
  ["an alias without anchor", "id: *a"],
  ["directives, which few readers know", "%YAML 1.2\n---\nkind: Tag"],
  ["a mapping as a key", "? [a]\n: b"],
  ["deeper nesting than a reader bears", `a: ${"[".repeat(200)}${"]".repeat(200)}`],
])("%s has no canonical form", (_, text) => {
  expect(formatted(text)).toBeUndefined();
});
