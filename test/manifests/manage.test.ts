import { expect, test } from "vitest";
import { kindOf } from "../../src/kinds/index.ts";
import { readRecords } from "../../src/manifests/records/records.ts";
import { briefly, desiredOf, inOneFile, withFiles } from "../support/manifest-files.ts";
import { argOf } from "../support/problem-args.ts";

async function modesIn(text: string) {
  const { state, problems } = await desiredOf(text);
  return { manage: [...state.values()].map((entity) => entity.manage), brief: inOneFile(problems) };
}

test.each([
  ["Dataset\nplatform: x\nname: a", "{ domain: additive, columns.tags: merge }"],
  ["Container\nurn: urn:li:container:a", "{ owners: merge, tags: authoritative }"],
  ["Domain\nid: a", "{ parent_domain: merge, name: additive }"],
  ["Tag\nid: a", "{ color_hex: merge }"],
  ["User\nid: a", "{ groups: merge, display_name: merge }"],
  ["Group\nid: a", "{ members: additive, owners: merge }"],
])("a manifest of kind %s gives modes of facets that it need not declare", async (head, modes) => {
  const { manage, brief } = await modesIn(`kind: ${head}\nmanage: ${modes}\n`);

  expect(brief).toEqual([]);
  const pairs = [...modes.matchAll(/([\w.]+): (\w+)/g)].map(([, facet, mode]) => [facet, mode]);
  expect(manage).toEqual([Object.fromEntries(pairs)]);
});

test("one mode is that of every facet of the kind", async () => {
  const { manage, brief } = await modesIn("kind: Tag\nid: a\nmanage: merge\n");

  expect(brief).toEqual([]);
  expect(manage).toEqual([{ owners: "merge", name: "merge", description: "merge", color_hex: "merge" }]);
});

test("of two manifests that give a facet different modes, the one with a mode for all is named at that mode", async () => {
  const { brief } = await modesIn(
    "- { kind: Tag, id: a, manage: { owners: additive } }\n- { kind: Tag, id: a, manage: merge }\n",
  );

  expect(brief).toEqual(["2:31 conflicting-modes & 1:33"]);
});

test("a manifest without modes gives none", async () => {
  expect(await modesIn("kind: Tag\nid: a\n")).toEqual({ manage: [undefined], brief: [] });
});

test("users that a group writes out have no modes, and take none from it", async () => {
  const { manage } = await modesIn("kind: Group\nid: g\nmembers: [{ id: u }]\nmanage: { members: merge }\n");

  expect(manage).toEqual([{ members: "merge" }, undefined]);
});

test("a user keeps its modes when a group writes it out as well", async () => {
  const { manage } = await modesIn(
    "- { kind: Group, id: g, members: [{ id: u, title: t }] }\n- { kind: User, id: u, manage: { groups: merge } }\n",
  );

  expect(manage).toEqual([undefined, { groups: "merge" }]);
});

const tag = "kind: Tag\nid: a\nmanage: ";

test.each([
  ["a misspelt mode for all", `${tag}merg\n`, ["3:9 unknown-value (merge)"]],
  ["a list", `${tag}[merge]\n`, ["3:9 wrong-type"]],
  ["no value", `${tag}\n`, ["3:1 null-value"]],
  ["a misspelt mode", `${tag}{ owners: aditive }\n`, ["3:19 unknown-value (additive)"]],
  ["a misspelt facet", `${tag}{ owner: merge }\n`, ["3:11 unknown-field (owners)"]],
  ["a facet of another kind", `${tag}{ columns.tags: merge }\n`, ["3:11 unknown-field"]],
  ["a user's side in a group", "kind: Group\nid: a\nmanage: { groups: merge }\n", ["3:11 unknown-field"]],
  [
    "modes of a user that is written out",
    "kind: Group\nid: a\nmembers: [{ id: b, manage: {} }]\n",
    ["3:20 unknown-field"],
  ],
  ["a beginning of a field", "kind: User\nid: a\nmanager: b\n", ["3:1 unknown-field (manager_urn)"]],
])("%s at `manage` is answered at its place", async (_, text, expected) => {
  expect((await modesIn(text)).brief).toEqual(expected);
});

test("a record for an upsert has no modes, and none are offered for a misspelt field", async () => {
  const { brief, known } = await withFiles(
    { "g.yaml": "id: g\nmanage: { members: merge }\nmagic: 1\n" },
    (cwd) => {
      const { problems } = readRecords("g.yaml", kindOf("Group"), cwd);
      return { brief: briefly(problems), known: problems.map((problem) => argOf(problem, "known")) };
    },
  );

  expect(brief).toEqual(["g.yaml:2:1 unknown-field", "g.yaml:3:1 unknown-field"]);
  expect(known.flat()).not.toContain("manage");
});
