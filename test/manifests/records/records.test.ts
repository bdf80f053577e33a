import { describe, expect, test } from "vitest";
import { group } from "../../../src/kinds/group.ts";
import type { Kind } from "../../../src/kinds/kind.ts";
import { user } from "../../../src/kinds/user.ts";
import { readRecords, type Records } from "../../../src/manifests/records/records.ts";
import { briefly, withFiles } from "../../support/manifest-files.ts";
import { argOf } from "../../support/problem-args.ts";
import { urn } from "../../support/states.ts";

/** What a file of records declares; `undefined` where there is no file. */
const recordsIn = (text: string | undefined, kind: Kind = user): Promise<Records> =>
  withFiles(text === undefined ? {} : { "file.yaml": text }, (cwd) => readRecords("file.yaml", kind, cwd));

test("a record has the fields of a manifest of its kind, and may name the kind", async () => {
  const { state, problems } = await recordsIn(
    "- { id: ada, first_name: Ada, groups: [team] }\n- { id: cleo, kind: User }\n",
  );

  expect(problems).toEqual([]);
  expect([...state].map(([of, { kind, facets }]) => [of, kind, [...facets.keys()]])).toEqual([
    ["urn:li:corpuser:ada", "User", ["first_name", "groups"]],
    ["urn:li:corpuser:cleo", "User", []],
  ]);
});

test("a group has its `admins` as owners, and declares members that are given with their fields", async () => {
  const { state, problems } = await recordsIn(
    "urn: urn:li:corpGroup:team\noverrideEditable: true\nadmins: [ada]\nmembers: [ben, { id: cleo, title: Clerk }]\n",
    group,
  );

  expect(problems).toEqual([]);
  expect(state.get(urn("urn:li:corpGroup:team"))?.facets.get("owners")).toMatchObject({
    members: [{ owner: "urn:li:corpuser:ada" }],
  });
  expect([...state.keys()].toSorted()).toEqual(["urn:li:corpGroup:team", "urn:li:corpuser:cleo"]);
});

describe("a record is refused at its place, and the others are read:", () => {
  test.each<readonly [string, string, string]>([
    ["an unknown field", "- { id: ben, titel: x }", "2:14 unknown-field (title)"],
    ["a field of groups", "- { id: ben, admins: [a] }", "2:14 unknown-field"],
    ["a mode", "- { id: ben, manage: merge }", "2:14 unknown-field"],
    ["no id", "- { title: x }", "2:5 missing-field"],
    ["an id that is a number", "- id: 123", '2:7 wrong-type ("123")'],
    ["a URN of another type", "- urn: urn:li:tag:a", "2:8 wrong-reference"],
    ["a key without a value", "- { id: ben, title: }", "2:14 null-value (title: none)"],
    ["an id and a URN", '- { id: ben, urn: "urn:li:corpuser:ben" }', "2:14 conflicting-fields"],
    ["another kind", "- { id: ben, kind: Group }", "2:20 unknown-value"],
    ["text instead of a mapping", "- ben", "2:3 not-a-record"],
    ["a list instead of a mapping", "- [ben]", "2:3 not-a-record"],
    ["the same id as another", "- { id: ada, title: x }", "2:5 duplicate-entity & 1:5"],
    ["a key that names the prototype", '- { id: ben, "__proto__": { title: x } }', "2:14 unknown-field"],
  ])("%s", async (_, record, problem) => {
    const { state, problems } = await recordsIn(`- { id: ada, email: a@b.c }\n${record}\n- { id: cleo }\n`);

    expect(briefly(problems).map((line) => line.replaceAll("file.yaml:", ""))).toEqual([problem]);
    expect([...state.keys()]).toEqual(["urn:li:corpuser:ada", "urn:li:corpuser:cleo"]);
  });

  test("a mode is not among the fields that it could have", async () => {
    const { problems } = await recordsIn("id: ben\nzzz: merge\n");

    const known = problems.flatMap((problem) => argOf(problem, "known"));
    expect(known).toContain("title");
    expect(known).not.toContain("manage");
  });

  test("admins beside owners, and an inline member with an unknown field", async () => {
    const text = "- { id: a, admins: [b], owners: [b] }\n- { id: b, members: [{ id: ben, nick: x }] }\n";

    const { state, problems } = await recordsIn(text, group);

    expect(briefly(problems)).toEqual([
      expect.stringMatching(/^file\.yaml:1:12 conflicting-fields/),
      expect.stringMatching(/^file\.yaml:2:33 unknown-field/),
    ]);
    expect([...state.keys()]).toEqual([]);
  });
});

test.each([
  ["is not there", undefined, "unreadable"],
  ["is no YAML", "- { id: ada", "yaml-syntax"],
  ["is empty", "", "no-records"],
  ["holds only comments", "# nobody\n", "no-records"],
  ["is an empty list", "[]", "no-records"],
  ["is a text", "Not Found", "not-a-record"],
])("a file that %s is a problem, and declares nothing", async (_, text, code) => {
  const { state, problems } = await recordsIn(text);

  expect(problems.map((problem) => problem.code)).toEqual([code]);
  expect(state.size).toBe(0);
});
