import { expect, test } from "vitest";
import type { Change, EntityChange, FacetChange } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  deletionFields,
  deletionFingerprint,
  referencesRemovedBy,
  withOwnRemovals,
} from "../../../src/plan/align/deletion.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const [top, low, tag] = [urn("urn:li:domain:top"), urn("urn:li:domain:low"), urn("urn:li:tag:t")];
const [a, b] = [datasetNamed("a"), datasetNamed("b")];

const hashesOf = (...referring: readonly (readonly [string, typeof a])[]): readonly string[] =>
  referring
    .flatMap(([type, of]) => [
      ...deletionFingerprint({ aspects: {}, referring: [{ type, urn: of }], assignments: 1 }).incoming.keys(),
    ])
    .toSorted();

test("what a deletion saw is told in the same order, whichever came first", () => {
  const referring = [a, b].map((of) => ({ type: "TaggedWith", urn: of }));
  const aspects = { ownership: { owners: [{ owner: "urn:li:corpuser:u" }, { owner: "urn:li:corpuser:v" }] } };

  const told = deletionFields({ aspects, referring, assignments: 2 }, "Tag");
  expect(told.references).toHaveLength(4);
  expect(told.references).toEqual(told.references?.toSorted());
  expect(deletionFields({ aspects, referring: referring.toReversed(), assignments: 2 }, "Tag")).toEqual(told);
  expect(deletionFields(undefined, "Tag")).toEqual({});
});

test("a deletion names what has the assignments that fall with it, each once, and not what is below it", () => {
  const chart = urn("urn:li:chart:(looker,a)");
  const child = urn("urn:li:domain:child");
  const referring = [
    { type: "AssociatedWith", urn: chart },
    { type: "AssociatedWith", urn: a },
    { type: "OwnedBy", urn: a },
    { type: "IsPartOf", urn: child },
    { type: "AssociatedWith", urn: undefined },
  ];

  const told = deletionFields({ aspects: {}, referring, assignments: 4 }, "Domain");
  expect(told.assignedTo).toEqual([chart, a].toSorted());
});

test("a deletion knows the references that other changes of the plan take away, though the index did not show them", () => {
  const nothing = deletionFields({ aspects: {}, referring: [], assignments: 0 }, "Tag");
  const deletion = (kind: string, of: typeof a): EntityChange => ({
    action: "delete",
    shape: "entity",
    kind,
    urn: of,
    fingerprint: "",
    ...nothing,
  });
  const update = { action: "update", kind: "Dataset", urn: a, fingerprint: "" } as const;
  const updates: readonly FacetChange[] = [
    { ...update, shape: "set", facet: "tags", add: [], remove: [tag] },
    { ...update, shape: "set", facet: "columns.tags", path: ["c"], add: [], remove: [tag] },
    { ...update, shape: "scalar", facet: "domain", before: top, after: null },
    { ...update, shape: "scalar", facet: "description", before: top, after: null },
  ];
  const deletions = [
    deletion("Tag", tag),
    { ...deletion("Domain", low), above: [top] },
    deletion("Domain", top),
  ];

  expect(withOwnRemovals(deletions, updates)).toEqual([
    {
      ...deletion("Tag", tag),
      references: hashesOf(["TaggedWith", a], ["EditableSchemaFieldTaggedWith", a]),
    },
    { ...deletion("Domain", low), above: [top] },
    { ...deletion("Domain", top), references: hashesOf(["AssociatedWith", a], ["IsPartOf", low]) },
  ]);
});

test("a deletion of which the catalog told nothing stays without references", () => {
  const deletion: Change = { action: "delete", shape: "entity", kind: "Tag", urn: tag, fingerprint: "" };
  const removal: Change = {
    action: "update",
    shape: "set",
    kind: "Dataset",
    urn: a,
    facet: "tags",
    add: [],
    remove: [tag],
    fingerprint: "",
  };

  expect(withOwnRemovals([deletion], [removal])).toEqual([deletion]);
});

const fingerprintOf = (info: JsonObject): string =>
  deletionFingerprint({ aspects: { info }, referring: [], assignments: 0 }).fingerprint;
const stamped = (time: number): JsonObject => ({ name: "x", created: { time, actor: "urn:li:corpuser:u" } });

test.each<readonly [string, JsonObject, JsonObject]>([
  ["its parent", { name: "x", parent: top }, { name: "x" }],
  ["a tag among others", { name: "x", tags: [tag, "urn:li:tag:u"] }, { name: "x", tags: [tag] }],
  ["its only owner", { name: "x", owners: [{ owner: "urn:li:corpuser:u", type: "T" }] }, { name: "x" }],
  ["an element with a reference deep in it", { name: "x", of: [{ at: [{ to: tag }] }] }, { name: "x" }],
  ["who wrote it, and when", stamped(1), stamped(2)],
  ["a stamp, where the other has none", stamped(1), { name: "x" }],
  ["what is empty", { name: "x", note: null, list: [], more: {} }, { name: "x" }],
])("the content of a deleted entity is the same without %s", (_, one, other) => {
  expect(fingerprintOf(one)).toBe(fingerprintOf(other));
});

test.each<readonly [string, JsonObject, JsonObject]>([
  ["text", { name: "x" }, { name: "y" }],
  ["text beside a reference", { name: "x", parent: top }, { name: "y", parent: top }],
  ["text in a list", { list: ["x", "y"] }, { list: ["x"] }],
  ["text in an element of a list", { list: [{ name: "x" }] }, { list: [{ name: "y" }] }],
  ["place in a list", { list: [null, "x"] }, { list: ["x"] }],
  ["number", { size: 1 }, { size: 2 }],
  ["time that nobody is named for", { at: { time: 1, actor: "x" } }, { at: { time: 2, actor: "x" } }],
  ["text beside somebody", { at: { time: "x", actor: top } }, { at: { time: "y", actor: top } }],
])("the content of a deleted entity is another one with another %s", (_, one, other) => {
  expect(fingerprintOf(one)).not.toBe(fingerprintOf(other));
});

test("references whose entity the server does not name count each, by their kinds", () => {
  const incoming = (...types: readonly string[]): ReadonlyMap<string, Urn | undefined> => {
    const referring = types.map((type) => ({ type, urn: undefined }));
    return deletionFingerprint({ aspects: {}, referring, assignments: 0 }).incoming;
  };

  expect([...incoming("OwnedBy", "OwnedBy", "TaggedWith").values()]).toEqual(Array(3).fill(undefined));
  expect(incoming("TaggedWith", "OwnedBy", "OwnedBy")).toEqual(incoming("OwnedBy", "OwnedBy", "TaggedWith"));
  expect([...incoming("OwnedBy")]).toEqual([...incoming("OwnedBy", "OwnedBy")].slice(0, 1));
});

// Plans keep these texts: another one would make all that the plan saw look new.
test("a deletion tells what it saw by hashes that stay the same from version to version", () => {
  const found = {
    aspects: { tagKey: { name: "t" }, ownership: { owners: [{ owner: "urn:li:corpuser:u" }] } },
    referring: [
      { type: "TaggedWith", urn: a },
      { type: "TaggedWith", urn: undefined },
      { type: "TaggedWith", urn: undefined },
    ],
  };
  const known = deletionFields({ ...found, assignments: 3 }, "Tag");

  expect(known).toMatchInlineSnapshot(`
    {
      "assignedTo": [
        "urn:li:dataset:(urn:li:dataPlatform:snowflake,a,PROD)",
      ],
      "assignments": 3,
      "fingerprint": "f7a143ae9245186337d04497595d70d5d68b191f4cc6c9913f460715125da307",
      "references": [
        "00be63bcf743",
        "0b2d373e9f16",
        "1b262bdc711a",
        "fcd46ff9aa96",
      ],
    }
  `);
  expect(deletionFields({ ...found, referring: [], assignments: 0 }, "Tag")).toEqual({
    fingerprint: known.fingerprint,
    references: [expect.stringMatching(/^[0-9a-f]{12}$/)],
    assignments: 0,
  });
});

test("where the server did not count the assignments, a deletion says nothing of them", () => {
  const referring = [{ type: "IsPartOf", urn: low }];

  const { fingerprint, ...told } = deletionFields(
    { aspects: {}, referring, assignments: undefined },
    "Domain",
  );

  expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(told).toEqual({ references: hashesOf(["IsPartOf", low]) });
});

test("a reference from an unnamed entity is the same one, however many named entities come before it", () => {
  const unnamed = { type: "OwnedBy", urn: undefined };
  const incoming = (...referring: Parameters<typeof deletionFingerprint>[0]["referring"]) => [
    ...deletionFingerprint({ aspects: {}, referring, assignments: 0 }).incoming.keys(),
  ];

  expect(incoming({ type: "OwnedBy", urn: a }, unnamed)).toEqual([
    ...incoming({ type: "OwnedBy", urn: a }),
    ...incoming(unnamed),
  ]);
});

const entity = { shape: "entity", kind: "Domain", urn: low, fingerprint: "" } as const;

test.each<readonly [string, Change, readonly unknown[]]>([
  [
    "a deletion below a parent takes away its place there",
    { ...entity, action: "delete", above: [top] },
    [{ type: "IsPartOf", from: low, to: top }],
  ],
  ["a deletion at the top, nothing", { ...entity, action: "delete" }, []],
  ["a creation below a parent, nothing", { ...entity, action: "create", above: [top] }, []],
  [
    "a deletion of a kind without parents, nothing",
    { ...entity, kind: "Tag", urn: tag, action: "delete" },
    [],
  ],
])("%s", (_, change, expected) => {
  expect(referencesRemovedBy(change)).toEqual(expected);
});

test("a group that loses a member loses both relationships by which the index may show that", () => {
  const [group, user] = [urn("urn:li:corpGroup:g"), urn("urn:li:corpuser:u")];
  const about = { action: "update", shape: "set", kind: "Group", urn: group, fingerprint: "" } as const;

  expect(referencesRemovedBy({ ...about, facet: "members", add: [], remove: [user] })).toEqual([
    { type: "IsMemberOfGroup", from: user, to: group },
    { type: "IsMemberOfNativeGroup", from: user, to: group },
  ]);
});
