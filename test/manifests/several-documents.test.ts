import { expect, test } from "vitest";
import { leafIn } from "../../src/model/place.ts";
import { kindOf } from "../../src/kinds/index.ts";
import { readRecords } from "../../src/manifests/records/records.ts";
import type { Mode } from "../../src/model/settings.ts";
import type { Entity } from "../../src/model/state.ts";
import { modeOf } from "../../src/plan/base/modes.ts";
import { briefly, desiredFrom, type Files, withFiles } from "../support/manifest-files.ts";
import { argOf } from "../support/problem-args.ts";
import { valuesOf } from "../../src/model/values.ts";

const dataset = "kind: Dataset\nplatform: x\nname: a\n";
const byUrn = "kind: Dataset\nurn: urn:li:dataset:(urn:li:dataPlatform:x,a,PROD)\n";

async function problemsOf(files: Files): Promise<readonly string[]> {
  return briefly((await desiredFrom(files)).problems);
}

/** The one entity that some files declare, without a problem. */
async function entityIn(files: Files): Promise<Entity> {
  const { state, problems } = await desiredFrom(files);
  expect(briefly(problems)).toEqual([]);
  expect(state.size).toBe(1);
  return [...state.values()][0] as Entity;
}

test("documents in several files declare one entity, each facet at its own place", async () => {
  const { state, problems, documents } = await desiredFrom({
    "catalog/platform.yaml": `# the platform team\n${dataset}domain: none\ncolumns:\n  id: { tags: [key] }\n`,
    "catalog/pii.yaml": `${byUrn}columns:\n  email: { tags: [pii] }\n`,
  });

  expect(problems).toEqual([]);
  expect(documents).toBe(2);
  const [entity, ...more] = [...state.values()];
  expect(more).toEqual([]);
  expect(entity).toMatchObject({ kind: "Dataset", origin: { file: "catalog/pii.yaml", line: 2 } });
  expect([...(entity?.facets.keys() ?? [])].toSorted()).toEqual(["columns.tags", "domain"]);
  const places = ["id", "email"].map(
    (column) => leafIn(entity, { facet: "columns.tags", path: [column] })?.origin,
  );
  expect([leafIn(entity, { facet: "domain" })?.origin, ...places]).toEqual([
    { file: "catalog/platform.yaml", line: 5, column: 1 },
    { file: "catalog/platform.yaml", line: 7, column: 3 },
    { file: "catalog/pii.yaml", line: 4, column: 3 },
  ]);
});

test("two documents that declare nothing twice are no problem, even if they declare nothing", async () => {
  expect(await problemsOf({ "catalog/a.yaml": "kind: Tag\nid: a\n---\nkind: Tag\nid: a\n" })).toEqual([]);
});

/** The values of a facet, or of a column's, and of each document that declares it its line and its own values. */
function withDocuments(entity: Entity, at: Parameters<typeof leafIn>[1]): unknown {
  const value = leafIn(entity, at);
  const by = (value?.by ?? []).map(({ origin, values }) => [`${origin?.file}:${origin?.line}`, values]);
  return [valuesOf(value), Object.fromEntries(by)];
}

test("sets of several documents unite, those of each column by themselves, and an empty one says nothing against the others", async () => {
  const entity = await entityIn({
    "catalog/a.yaml": `${dataset}tags: [b, a]\nowners: [{ user: u }]\ncolumns:\n  x: { tags: [] }\n  y: { tags: [k] }\n`,
    "catalog/b.yaml": `${byUrn}owners: []\ntags: [c, a]\n`,
    "catalog/c.yaml": `${dataset}columns:\n  x: { tags: [p] }\n---\n${dataset}owners: [{ user: u, type: DATA_STEWARD }]\n`,
  });

  const tags = (...ids: readonly string[]): readonly string[] => ids.map((id) => `urn:li:tag:${id}`);
  const owner = (type: string): unknown => ({
    owner: "urn:li:corpuser:u",
    type: expect.stringContaining(type),
  });
  expect(withDocuments(entity, { facet: "tags" })).toEqual([
    tags("a", "b", "c"),
    { "catalog/a.yaml:4": tags("a", "b"), "catalog/b.yaml:4": tags("a", "c") },
  ]);
  expect(withDocuments(entity, { facet: "owners" })).toEqual([
    [owner("data_steward"), owner("technical_owner")],
    {
      "catalog/a.yaml:5": [owner("technical_owner")],
      "catalog/b.yaml:3": [],
      "catalog/c.yaml:10": [owner("data_steward")],
    },
  ]);
  expect(withDocuments(entity, { facet: "columns.tags", path: ["x"] })).toEqual([
    tags("p"),
    { "catalog/a.yaml:7": [], "catalog/c.yaml:5": tags("p") },
  ]);
  expect(withDocuments(entity, { facet: "columns.tags", path: ["y"] })).toEqual([tags("k"), {}]);
});

test("a value twice in one document is a problem, and in two it is none", async () => {
  expect(
    await problemsOf({ "catalog/a.yaml": `${dataset}tags: [a, a]\n---\n${dataset}tags: [a]\n` }),
  ).toEqual(["catalog/a.yaml:4:11 duplicate-element & catalog/a.yaml:4:8"]);
});

test("a single value that documents declare alike is theirs, and one that differs is a problem that names both places", async () => {
  const one = "kind: Tag\nid: a\nname: A\ndescription: one\n";
  const entity = await entityIn({ "catalog/a.yaml": one, "catalog/b.yaml": one });
  expect(withDocuments(entity, { facet: "name" })).toEqual([
    ["A"],
    { "catalog/a.yaml:3": ["A"], "catalog/b.yaml:3": ["A"] },
  ]);
  expect(
    await problemsOf({
      "catalog/a.yaml": one,
      "catalog/b.yaml": "kind: Tag\nid: a\nname: A\ndescription: two\n",
      "catalog/c.yaml": "kind: Tag\nid: urn:li:tag:a\ndescription: none\n",
    }),
  ).toEqual([
    "catalog/b.yaml:4:1 duplicate-facet & catalog/a.yaml:4:1",
    "catalog/c.yaml:3:1 duplicate-facet & catalog/a.yaml:4:1",
  ]);
});

const group = "kind: Group\nid: g\nmembers: [{ id: u, title: t }]\n";

test.each([
  ["equal fields", "kind: User\nid: u\ntitle: t\n---\nkind: User\nid: u\nemail: e@x.org\n", []],
  ["no field twice", "kind: User\nid: u\nemail: e@x.org\n", []],
  [
    "another value in its second document",
    "kind: User\nid: u\n---\nkind: User\nid: u\ntitle: other\n",
    ["catalog/a.yaml:3:20 duplicate-facet & catalog/b.yaml:6:1"],
  ],
])("a user in a group's list and in documents with %s", async (_, user, expected) => {
  expect(await problemsOf({ "catalog/a.yaml": group, "catalog/b.yaml": user })).toEqual(expected);
});

test("two groups that list one user with different fields name both places", async () => {
  const other = "kind: Group\nid: h\nmembers: [{ id: u, title: x, email: e@x.org }]\n";
  expect(await problemsOf({ "catalog/a.yaml": group, "catalog/b.yaml": other })).toEqual([
    "catalog/b.yaml:3:20 duplicate-facet & catalog/a.yaml:3:20",
  ]);
});

test("groups and members contradict each other across the documents of a user", async () => {
  expect(
    await problemsOf({
      "catalog/a.yaml": "kind: User\nid: u\ntitle: t\n---\nkind: Group\nid: g\nmembers: []\n",
      "catalog/b.yaml": "kind: User\nid: u\ngroups: [g]\n",
    }),
  ).toEqual(["catalog/b.yaml:3:10 contradicting-membership & catalog/a.yaml:7:1"]);
});

test("members and groups of several documents unite before they are compared with the other end", async () => {
  const members = (id: string): string => `kind: Group\nid: g\nmembers: [${id}]\n`;
  const groups = (id: string): string => `kind: User\nid: u\ngroups: [${id}]\n`;
  const both = {
    "catalog/a.yaml": `${members("u")}---\n${groups("g")}---\nkind: Group\nid: h\n`,
    "catalog/b.yaml": `${members("v")}---\n${groups("h")}---\nkind: User\nid: v\n`,
  };
  expect(await problemsOf(both)).toEqual([]);
  expect(await problemsOf({ ...both, "catalog/c.yaml": members("") })).toEqual([]);
  expect(await problemsOf({ ...both, "catalog/c.yaml": "kind: User\nid: v\ngroups: []\n" })).toEqual([
    "catalog/b.yaml:3:11 contradicting-membership & catalog/c.yaml:3:1",
  ]);
});

test("the modes of a document hold for the facets of the entity, whichever document declares them", async () => {
  const entity = await entityIn({
    "catalog/a.yaml": `${dataset}tags: [a]\ncolumns:\n  x: { tags: [] }\nmanage: { domain: additive }\n`,
    "catalog/b.yaml": `${dataset}domain: none\nowners: []\ncolumns:\n  y: { tags: [a] }\nmanage: { tags: merge, columns.tags: additive }\n`,
  });

  const settings = { "columns.tags": "merge", tags: "authoritative", domain: "merge" } as const;
  const at = (facet: string): Mode => modeOf(entity, facet, settings);
  expect([at("tags"), at("domain"), at("owners"), at("columns.tags")]).toEqual([
    "merge",
    "additive",
    "authoritative",
    "additive",
  ]);
});

test("a mode of a facet that no document declares holds for what a group writes out", async () => {
  const { state } = await desiredFrom({
    "catalog/a.yaml": group,
    "catalog/b.yaml":
      "kind: User\nid: u\nmanage: { title: additive }\n---\nkind: User\nid: u\nemail: e@x.org\n",
  });

  const user = [...state.values()].find(({ kind }) => kind === "User");
  expect(user?.manage).toEqual({ title: "additive" });
  expect(valuesOf(user?.facets.get("title"))).toEqual(["t"]);
});

test("two documents that give a facet different modes are a problem that names both, whatever they declare", async () => {
  expect(
    await problemsOf({
      "catalog/a.yaml": `${dataset}columns: { y: { tags: [] } }\nmanage: { tags: merge, owners: merge, columns.tags: merge }\n`,
      "catalog/b.yaml": `${dataset}tags: []\ncolumns: { x: { tags: [] } }\nmanage: { owners: merge, tags: additive, columns.tags: additive }\n`,
    }),
  ).toEqual([
    "catalog/b.yaml:6:26 conflicting-modes & catalog/a.yaml:5:11",
    "catalog/b.yaml:6:42 conflicting-modes & catalog/a.yaml:5:39",
  ]);
});

test("a record twice is a problem even if it declares no field twice, and the first one is used", async () => {
  const text = "- { id: u, title: t }\n- { id: v }\n- { id: 'urn:li:corpuser:u', email: e@x.org }\n";
  const { state, problems } = await withFiles({ "u.yaml": text }, (cwd) =>
    readRecords("u.yaml", kindOf("User"), cwd),
  );

  expect(briefly(problems)).toEqual(["u.yaml:3:5 duplicate-entity & u.yaml:1:5"]);
  expect(problems.map((problem) => argOf(problem, "urn"))).toEqual(["urn:li:corpuser:u"]);
  expect([...state.values()].map(({ facets }) => [...facets.keys()])).toEqual([["title"], []]);
});
