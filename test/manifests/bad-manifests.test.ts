import { expect, test } from "vitest";
import { messageOf } from "../../src/report/document/problems.ts";
import { desiredOf, inOneFile } from "../support/manifest-files.ts";

const dataset = "kind: Dataset\nplatform: x\nname: a\n";

// A name, the manifest file, its problems as "line:column code & the other place (suggestion)".
const rows: readonly (readonly [string, string, readonly string[]])[] = [
  ["an unclosed bracket", dataset + "tags: [a, b\n", ["4:7 yaml-syntax"]],
  [
    "an unclosed bracket before other keys",
    "kind: Dataset\ntags: [a, b\nplatform: x\nname: a\n",
    ["2:7 yaml-syntax"],
  ],
  ["an unclosed brace", dataset + "owners: [{ user: a ]\n", ["4:10 yaml-syntax"]],
  ["a closing bracket without an opening one", dataset + "tags: a]\n", ["4:7 wrong-type"]],
  ["brackets of two sorts", dataset + "tags: [a}\n", ["4:7 yaml-syntax"]],
  ["an unclosed double quote", dataset + 'domain: "finance\n', ["4:9 yaml-syntax"]],
  ["an unclosed single quote", dataset + "domain: 'finance\n", ["4:9 yaml-syntax"]],
  ["an escape that does not exist", dataset + 'domain: "a\\qb"\n', ["4:11 yaml-syntax"]],
  [
    "a tab as indentation",
    "kind: Dataset\nplatform: x\nname: a\ncolumns:\n\temail: { tags: [a] }\n",
    ["5:1 yaml-syntax"],
  ],
  [
    "indentation that fits nothing",
    "kind: Dataset\n  platform: x\n name: a\n",
    ["1:7 yaml-syntax", "2:13 yaml-syntax"],
  ],
  [
    "a list that is indented too little",
    dataset + "columns:\nemail:\n   tags: [a]\n  phone: x\n",
    ["7:1 yaml-syntax"],
  ],
  ["a second colon on a line", dataset + "domain: a: b\n", ["4:9 yaml-syntax"]],
  ["a key without colon", "kind: Dataset\nplatform\nname: a\n", ["2:1 yaml-syntax"]],
  ["a missing blank after the colon", "kind:Dataset\n", ["1:1 not-a-manifest"]],
  ["a text that begins with an at sign", dataset + "domain: @finance\n", ["4:9 yaml-syntax"]],
  ["a text that begins with a percent sign", dataset + "domain: %finance\n", ["4:9 yaml-syntax"]],
  ["a text that begins with a backtick", dataset + "domain: `finance`\n", ["4:9 yaml-syntax"]],
  ["the same key twice", dataset + "tags: [a]\ntags: [b]\n", ["5:1 duplicate-key & 4:1"]],
  [
    "the same column twice",
    dataset + "columns:\n  a: { tags: [] }\n  a: { tags: [x] }\n",
    ["6:3 duplicate-key & 5:3"],
  ],
  ["an alias without anchor", dataset + "tags: *tgas\n", ["4:7 unknown-alias"]],
  [
    "an alias that is nearly an anchor",
    "kind: Dataset\nplatform: &common x\nname: *comon\n",
    ["3:7 unknown-alias (common)"],
  ],
  [
    "keys that begin with an asterisk, and one after them",
    dataset + "columns:\n  *email*: { tags: [pii] }\n  id: { tags: [a] }\n  *_id: { tags: [b] }\n",
    ["5:3 unknown-alias", "7:3 unknown-alias"],
  ],
  [
    "such a key before a line of its own",
    dataset + "columns:\n  *email*:\n    tags: [pii]\n  id: { tags: [a] }\n",
    ["5:3 unknown-alias"],
  ],
  [
    "such a key in braces",
    dataset + "columns: { id: { tags: [] }, *email*: { tags: [pii] } }\n",
    ["4:30 unknown-alias"],
  ],
  [
    "such a key without a value",
    dataset + "columns:\n  a: { tags: [] }\n  *email*:\n",
    ["6:3 unknown-alias"],
  ],
  [
    "such a text in quotes beside another mistake",
    dataset + "columns:\n  '*email*': { tags: [pii] ]\n",
    ["5:14 yaml-syntax"],
  ],
  ["an alias inside of its anchor", dataset + "tags: &a [*a]\n", ["4:11 alias-in-itself"]],
  ["an unknown tag", dataset + "domain: !secret finance\n", ["4:9 unknown-tag"]],
  ["an unknown tag of YAML's own", dataset + "domain: !!binary Zm9v\n", ["4:9 unknown-tag"]],
  ["a tag with an unknown handle", dataset + "domain: !a!b finance\n", ["4:9 unknown-tag"]],
  ["a value that does not fit its tag", dataset + "domain: !!int finance\n", ["4:15 bad-tagged-value"]],
  ["a list as key", dataset + "? [a, b]\n: c\n", ["4:3 complex-key"]],
  ["a mapping as key", dataset + "{a: b}: c\n", ["4:1 complex-key"]],
  ["a template that was not filled in", dataset + "domain: {{ domain }}\n", ["4:10 complex-key"]],
  ["a key that is missing", dataset + ": a\n", ["4:1 empty-key"]],
  ["a merge of something that is no mapping", dataset + "<<: [a]\n", ["4:5 bad-merge"]],
  [
    "conflict markers of git",
    "<<<<<<< HEAD\nkind: Tag\n=======\nkind: Domain\n>>>>>>> main\n",
    ["1:1 merge-conflict"],
  ],
  ["a directive that is none", "%FOO\n", ["2:1 yaml-syntax"]],
  ["1.6 million escapes", `- "${"\\n".repeat(100_000)}"\n`.repeat(16), ["15:3 too-large"]],
  ["ten thousand open brackets", "a: " + "[".repeat(10000), ["1:103 too-deep"]],
  ["ten thousand open braces", "a: " + "{a: ".repeat(10000), ["1:397 too-deep"]],
  ["ten thousand dashes", "- ".repeat(10000) + "a", ["1:200 too-deep"]],
  ["ten thousand question marks", "? ".repeat(10000) + "a", ["1:200 too-deep"]],
  [
    "an alias bomb",
    "a: &a [x,x,x,x,x,x,x,x,x]\n" +
      "bcdefghij"
        .split("")
        .map(
          (c, i) =>
            `${c}: &${c} [${Array(9)
              .fill("*" + "abcdefghi"[i])
              .join(",")}]`,
        )
        .join("\n"),
    ["6:8 too-many-aliases"],
  ],
  ["a text instead of a mapping", "hello\n", ["1:1 not-a-manifest"]],
  ["a number instead of a mapping", "42\n", ["1:1 not-a-manifest"]],
  ["a null instead of a mapping", "~\n", ["1:1 not-a-manifest"]],
  ["a list of texts", "- a\n- b\n", ["1:3 not-a-manifest", "2:3 not-a-manifest"]],
  ["a dash without a manifest", "- \n", ["1:3 not-a-manifest"]],
  ["a list in a list", "- - kind: Tag\n    id: a\n", ["1:3 not-a-manifest"]],
  ["no kind", "platform: x\nname: a\n", ["1:1 missing-kind"]],
  ["a misspelt key of the kind", "kimd: Dataset\nplatform: x\nname: a\n", ["1:1 missing-kind (kind)"]],
  ["a key of the kind in upper case", "Kind: Dataset\nplatform: x\nname: a\n", ["1:1 missing-kind (kind)"]],
  ["an unknown kind", "kind: Secret\nid: a\n", ["1:7 unknown-kind"]],
  ["a kind in lower case", "kind: dataset\n", ["1:7 unknown-kind (Dataset)"]],
  ["a kind in the plural", "kind: Datasets\n", ["1:7 unknown-kind (Dataset)"]],
  ["a misspelt kind", "kind: Datset\n", ["1:7 unknown-kind (Dataset)"]],
  ["a kind without value", "kind:\n", ["1:1 null-value"]],
  ["a list as kind", "kind: [Dataset]\n", ["1:7 unknown-kind (Dataset)"]],
  ["a number as kind", "kind: 7\n", ["1:7 unknown-kind"]],
  ["a misspelt field", dataset + "owner: [{ user: a }]\n", ["4:1 unknown-field (owners)"]],
  [
    "a field in another spelling",
    "kind: User\nid: a\ndisplayName: A\n",
    ["3:1 unknown-field (display_name)"],
  ],
  [
    "a field of another kind",
    "kind: Container\nurn: urn:li:container:a\ncolumns: {}\n",
    ["3:1 unknown-field"],
  ],
  ["a field that is far from any", dataset + "quality_checks: [a]\n", ["4:1 unknown-field"]],
  [
    "a field that has another name in this kind",
    "kind: GlossaryTerm\nid: a\ndescription: A\n",
    ["3:1 unknown-field (definition)"],
  ],
  ["a misspelt field of an owner", dataset + "owners: [{ usr: a }]\n", ["4:12 unknown-field (user)"]],
  ["a misspelt field of a column", dataset + "columns: { a: { tag: [x] } }\n", ["4:17 unknown-field (tags)"]],
  ["a dataset without platform", "kind: Dataset\nname: a\n", ["1:1 missing-field"]],
  ["a dataset without anything", "kind: Dataset\n", ["1:1 missing-field", "1:1 missing-field"]],
  ["a container without URN", "kind: Container\n", ["1:1 missing-field"]],
  ["a tag without id", "kind: Tag\nname: A\n", ["1:1 missing-field"]],
  ["null for a list", dataset + "tags:\n", ["4:1 null-value (tags: [])"]],
  ["null for owners", dataset + "owners: ~\n", ["4:1 null-value (owners: [])"]],
  ["null for a single value", dataset + "domain: null\n", ["4:1 null-value (domain: none)"]],
  ["null for a mapping", dataset + "columns:\n", ["4:1 null-value"]],
  ["null for a column", dataset + "columns:\n  email:\n", ["5:3 null-value"]],
  [
    "null for the tags of a column",
    dataset + "columns:\n  email: { tags: }\n",
    ["5:12 null-value (tags: [])"],
  ],
  ["null in a list", dataset + "tags:\n  - a\n  -\n", ["6:4 null-value"]],
  ["null for an owner", dataset + "owners:\n  -\n", ["5:4 null-value"]],
  ["null for the user of an owner", dataset + "owners: [{ user: }]\n", ["4:12 null-value"]],
  ["null for an id", "kind: Tag\nid:\n", ["2:1 null-value"]],
  ["null for a description", "kind: Tag\nid: a\ndescription:\n", ["3:1 null-value (description: none)"]],
  ["null for a name", "kind: Tag\nid: a\nname:\n", ["3:1 null-value"]],
  ["null for members", "kind: Group\nid: a\nmembers:\n", ["3:1 null-value (members: [])"]],
  ["one value instead of a list", dataset + "tags: pii\n", ["4:7 wrong-type ([pii])"]],
  ["`none` instead of an empty list", dataset + "tags: none\n", ["4:7 wrong-type ([])"]],
  ["an owner instead of a list", dataset + "owners: { user: a }\n", ["4:9 wrong-type ([{ user: a }])"]],
  ["an id instead of owners", dataset + "owners: alice\n", ["4:9 wrong-type ([{ user: alice }])"]],
  ["an id instead of an owner", dataset + "owners: [alice]\n", ["4:10 wrong-type ({ user: alice })"]],
  ["a list instead of one value", dataset + "domain: [finance]\n", ["4:9 wrong-type (finance)"]],
  ["two domains", dataset + "domain: [finance, sales]\n", ["4:9 wrong-type"]],
  ["an empty list instead of `none`", dataset + "domain: []\n", ["4:9 wrong-type (none)"]],
  ["a mapping instead of one value", dataset + "domain: { id: finance }\n", ["4:9 wrong-type"]],
  ["a list instead of columns", dataset + "columns: [a]\n", ["4:10 wrong-type"]],
  ["tags right below a column", dataset + "columns: { a: [pii] }\n", ["4:15 wrong-type ({ tags: [pii] })"]],
  ["a list in a list of tags", dataset + "tags: [[a]]\n", ["4:8 wrong-type (a)"]],
  ["a number with zeros as id", "kind: Tag\nid: 00123\n", ['2:5 wrong-type ("00123")']],
  ["a number as id", "kind: Domain\nid: 7\n", ['2:5 wrong-type ("7")']],
  ["a hexadecimal number as id", "kind: Domain\nid: 0x1F\n", ['2:5 wrong-type ("0x1F")']],
  ["a number with exponent as id", "kind: Domain\nid: 1e3\n", ['2:5 wrong-type ("1e3")']],
  ["not a number as id", "kind: Domain\nid: .nan\n", ['2:5 wrong-type (".nan")']],
  ["a boolean as id", "kind: Domain\nid: true\n", ['2:5 wrong-type ("true")']],
  ["a number as tag", dataset + "tags: [2024]\n", ['4:8 wrong-type ("2024")']],
  ["a boolean as domain", dataset + "domain: False\n", ['4:9 wrong-type ("False")']],
  ["a number as user", dataset + "owners: [{ user: 5 }]\n", ['4:18 wrong-type ("5")']],
  ["a number as name", "kind: Dataset\nplatform: x\nname: 5.10\n", ['3:7 wrong-type ("5.10")']],
  ["a colour that is a number", "kind: Tag\nid: a\ncolor_hex: 123456\n", ['3:12 wrong-type ("123456")']],
  ["a text where a number belongs", "kind: User\nid: a\ndepartment_id: sales\n", ["3:16 wrong-type"]],
  [
    "a number that loses its last digit",
    "kind: User\nid: a\ndepartment_id: 9007199254740993\n",
    ["3:16 out-of-range"],
  ],
  [
    "a large number of an inline user",
    "kind: Group\nid: g\nmembers: [{ id: a, department_id: -9007199254740993 }]\n",
    ["3:35 out-of-range"],
  ],
  ["a number without end", "kind: User\nid: a\ndepartment_id: 1e400\n", ["3:16 out-of-range"]],
  [
    "a value of a structured property with more digits than a double has",
    dataset + "structured_properties: { days: 123456789.123456789123, rows: 1e400 }\n",
    ["4:32 inexact-number", "4:62 out-of-range"],
  ],
  ["an empty id", "kind: Tag\nid: ''\n", ["2:5 empty-text"]],
  ["an empty domain", dataset + "domain: ''\n", ["4:9 empty-text"]],
  ["an empty tag", dataset + "tags: ['']\n", ["4:8 empty-text"]],
  ["an environment that does not exist", dataset + "env: PRODD\n", ["4:6 unknown-value (PROD)"]],
  ["an environment in lower case", dataset + "env: prod\n", ["4:6 unknown-value (PROD)"]],
  ["an owner that is nobody", dataset + "owners: [{ type: DATA_STEWARD }]\n", ["4:10 one-of-fields"]],
  ["an owner that is both", dataset + "owners: [{ user: a, group: b }]\n", ["4:10 one-of-fields"]],
  ["an owner that is empty", dataset + "owners: [{}]\n", ["4:10 one-of-fields"]],
  [
    "a misspelt ownership type",
    dataset + "owners: [{ user: a, type: TECHNICAL_OWNR }]\n",
    ["4:27 unknown-ownership-type (TECHNICAL_OWNER)"],
  ],
  [
    "an ownership type in lower case",
    dataset + "owners: [{ user: a, type: technical_owner }]\n",
    ["4:27 unknown-ownership-type (TECHNICAL_OWNER)"],
  ],
  [
    "an ownership type as DataHub shows it",
    dataset + "owners: [{ user: a, type: Data Steward }]\n",
    ["4:27 unknown-ownership-type (DATA_STEWARD)"],
  ],
  [
    "the ownership type CUSTOM",
    dataset + "owners: [{ user: a, type: CUSTOM }]\n",
    ["4:27 custom-ownership-type"],
  ],
  ["a group's URN as user", dataset + "owners: [{ user: 'urn:li:corpGroup:a' }]\n", ["4:18 wrong-reference"]],
  ["a URN of the wrong kind as tag", dataset + "tags: ['urn:li:domain:a']\n", ["4:8 wrong-reference"]],
  ["a URN of the wrong kind as domain", dataset + "domain: urn:li:tag:a\n", ["4:9 wrong-reference"]],
  [
    "a dataset's URN at a container",
    "kind: Container\nurn: urn:li:dataset:(urn:li:dataPlatform:x,a,PROD)\n",
    ["2:6 wrong-reference"],
  ],
  ["a URN of the wrong kind as id", "kind: Tag\nid: urn:li:domain:a\n", ["2:5 wrong-reference"]],
  ["a colour that cannot be drawn", "kind: Tag\nid: a\ncolor_hex: red\n", ["3:12 malformed-colour"]],
  [
    "a colour that is not quoted",
    "kind: Tag\nid: a\ncolor_hex: #C0392B\n",
    ['3:1 null-value (color_hex: "#C0392B")'],
  ],
  ["a URN without key", dataset + "tags: ['urn:li:tag:']\n", ["4:8 malformed-urn"]],
  ["a URN with a space after its key", dataset + "tags: ['urn:li:tag:a ']\n", ["4:8 malformed-urn"]],
  ["an id that ends with a space", "kind: Tag\nid: 'a '\n", ["2:5 malformed-urn"]],
  [
    "a URN that lacks a bracket",
    "kind: Dataset\nurn: urn:li:dataset:(urn:li:dataPlatform:x,a,PROD\n",
    ["2:6 malformed-urn"],
  ],
  [
    "a URN with two parts",
    "kind: Dataset\nurn: urn:li:dataset:(urn:li:dataPlatform:x,a)\n",
    ["2:6 malformed-urn"],
  ],
  [
    "a URN with an unknown fabric",
    "kind: Dataset\nurn: urn:li:dataset:(urn:li:dataPlatform:x,a,PRODUCTION)\n",
    ["2:6 malformed-urn"],
  ],
  ["a URN with a bare platform", "kind: Dataset\nurn: urn:li:dataset:(x,a,PROD)\n", ["2:6 malformed-urn"]],
  ["a platform with a bracket", "kind: Dataset\nplatform: a(b\nname: a\n", ["2:11 malformed-urn"]],
  [
    "a URN of more than 512 bytes",
    "kind: Dataset\nplatform: x\nname: " + "a".repeat(500) + "\n",
    ["3:7 malformed-urn"],
  ],
  [
    "an id of more than 512 bytes in umlauts",
    "kind: Tag\nid: " + "ä".repeat(120) + "\n",
    ["2:5 malformed-urn"],
  ],
  [
    "a dataset by URN and by name",
    dataset + "urn: urn:li:dataset:(urn:li:dataPlatform:x,a,PROD)\n",
    ["2:1 conflicting-fields", "3:1 conflicting-fields"],
  ],
  [
    "one dataset by URN and by parts",
    dataset +
      "domain: a\n---\nkind: Dataset\nurn: urn:li:dataset:(urn:li:dataPlatform:x,a,PROD)\ndomain: b\n",
    ["8:1 duplicate-facet & 4:1"],
  ],
  [
    "one dataset with instance and by name",
    "kind: Dataset\nplatform: x\nplatform_instance: eu\nname: a\ndomain: a\n---\nkind: Dataset\nplatform: x\nname: eu.a\ndomain: none\n",
    ["10:1 duplicate-facet & 5:1"],
  ],
  [
    "one tag by id and by URN",
    "- { kind: Tag, id: a, name: a }\n- { kind: Tag, id: 'urn:li:tag:a', name: b }\n",
    ["2:36 duplicate-facet & 1:23"],
  ],
  [
    "the same owner pair twice",
    dataset + "owners:\n  - { user: a }\n  - { user: 'urn:li:corpuser:a', type: TECHNICAL_OWNER }\n",
    ["6:5 duplicate-element & 5:5"],
  ],
  ["the same tag twice", dataset + "tags: [a, b, 'urn:li:tag:a']\n", ["4:14 duplicate-element & 4:8"]],
  [
    "the same tag twice on a column",
    dataset + "columns: { c: { tags: [a, a] } }\n",
    ["4:27 duplicate-element & 4:24"],
  ],
  [
    "the same member twice",
    "kind: Group\nid: a\nmembers: [b, { id: b }]\n",
    ["3:14 duplicate-element & 3:11"],
  ],
  [
    "the same link twice, by URL and label",
    dataset +
      "links: ['https://a.b', { url: 'https://a.b', label: 'https://a.b' }, { url: 'https://a.b', label: x }]\n",
    ["4:24 duplicate-element & 4:9"],
  ],
  [
    "the same value of a structured property twice",
    dataset + "structured_properties: { cadence: [a, a] }\n",
    ["4:39 duplicate-element & 4:36"],
  ],
  [
    "structured properties whose ids differ by dots and underscores, but for one of another version",
    '- { kind: StructuredProperty, id: a.b }\n- { kind: StructuredProperty, id: a_b }\n- { kind: StructuredProperty, id: a_b_c, version: "20270101000000" }\n- { kind: StructuredProperty, id: a_b.c }\n',
    ["2:5 same-name & 1:5"],
  ],
  ["a domain that is its own parent", "kind: Domain\nid: a\nparent_domain: a\n", ["3:1 parent-cycle"]],
  [
    "parent domains in a circle",
    "- { kind: Domain, id: a, parent_domain: b }\n- { kind: Domain, id: b, parent_domain: c }\n- { kind: Domain, id: c, parent_domain: a }\n- { kind: Domain, id: d, parent_domain: a }\n",
    ["1:26 parent-cycle"],
  ],
  [
    "a group that leaves a user out",
    "- { kind: User, id: u, groups: [g] }\n- { kind: Group, id: g, members: [] }\n",
    ["1:33 contradicting-membership & 2:25"],
  ],
  [
    "a user that leaves a group out",
    "- { kind: User, id: u, groups: [] }\n- { kind: Group, id: g, members: [u] }\n",
    ["2:35 contradicting-membership & 1:24"],
  ],
  [
    "an asset that names a data product whose list omits it",
    dataset + "data_products: [p]\n---\nkind: DataProduct\nid: p\nassets: []\n",
    ["4:17 contradicting-membership & 8:1"],
  ],
  [
    "an asset that omits in two documents a data product whose list names it",
    `${dataset}data_products: [q]\n---\n${dataset}data_products: []\n---\nkind: DataProduct\nid: p\nassets: ['urn:li:dataset:(urn:li:dataPlatform:x,a,PROD)']\n---\nkind: DataProduct\nid: q\n`,
    ["13:10 contradicting-membership & 4:1"],
  ],
  ["`none` as name", "kind: Domain\nid: a\nname: none\n", ["3:7 cannot-be-unset"]],
  [
    "an undeclared tag that is nearly declared",
    "- { kind: Tag, id: confidential }\n- { kind: Container, urn: 'urn:li:container:c', tags: [confidental] }\n",
    ["2:56 undeclared-reference (confidential)"],
  ],
  [
    "an undeclared parent domain",
    "kind: Domain\nid: finance\nparent_domain: corporate\n",
    ["3:16 undeclared-reference"],
  ],
  ["a control character", dataset + "domain: fin\u0007ance\n", ["4:12 control-character"]],
  ["an old Mac's line ends", "kind: Tag\rid: a\r", ["1:10 control-character"]],
  ["a NUL byte", dataset + "domain: a\0b\n", ["4:10 binary-file"]],
];

test.each(rows)("%s is answered at its place", async (_, text, expected) => {
  const { problems } = await desiredOf(text);

  expect(inOneFile(problems)).toEqual(expected);
});

test("a list item whose fields are indented otherwise is said to be a matter of the indentation", async () => {
  const { problems } = await desiredOf(dataset + "owners:\n - user: a\n  type: b\n");

  expect(problems.map(messageOf)).toEqual(["invalid YAML: the indentation does not match the lines above"]);
});

test("a key that begins with an asterisk must be quoted, which its message says", async () => {
  const { problems } = await desiredOf(dataset + "columns:\n  *email*: { tags: [pii] }\n");

  expect(problems.map(messageOf)).toEqual([
    "alias `*email*` has no anchor `&email*` before it in this document (a string that begins with `*` must be quoted)",
  ]);
});
