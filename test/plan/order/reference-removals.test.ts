import { describe, expect, test } from "vitest";
import type { Change, EntityChange, SetChange } from "../../../src/model/change.ts";
import { scalarOf, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { referenceHash } from "../../../src/plan/align/deletion.ts";
import { fingerprintOf } from "../../../src/plan/notes/fingerprint.ts";
import {
  referencedDeletions,
  referenceRemovals,
  referringFacets,
} from "../../../src/plan/order/reference-removals.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const [tag, other] = [urn("urn:li:tag:t"), urn("urn:li:tag:other")];
const [domain, parent] = [urn("urn:li:domain:d"), urn("urn:li:domain:parent")];
const [user, friend] = [urn("urn:li:corpuser:u"), urn("urn:li:corpuser:friend")];
const group = urn("urn:li:corpGroup:g");
const source = { file: "catalog/a.yaml", line: 4, column: 1, base: true } as const;
const covers = { elements: [], except: ["*"] };

type Seen = readonly (readonly [type: string, from: Urn])[];

// A deletion of which the plan saw these references.
function deletionOf(kind: string, of: Urn, seen: Seen, more: Partial<EntityChange> = {}): EntityChange {
  const references = seen.map(([type, from]) => referenceHash(type, from));
  const assignedTo = seen.map(([, from]) => from);
  return {
    action: "delete",
    shape: "entity",
    kind,
    urn: of,
    fingerprint: "",
    references,
    assignedTo,
    ...more,
  };
}

function removalOf(
  about: Pick<SetChange, "urn" | "facet" | "remove"> & Partial<SetChange>,
): Omit<SetChange, "fingerprint"> {
  return { action: "update", kind: "Dataset", shape: "set", isReference: true, add: [], covers, ...about };
}

// The removals, each without its fingerprint.
function removals(
  changes: readonly Change[],
  state: State,
  several: readonly Pick<SetChange, "urn" | "facet">[] = [],
): readonly Omit<Change, "fingerprint">[] {
  const found = referenceRemovals(changes, {
    state,
    several: several.map((each) => ({ ...each, values: [] })),
  });
  return found.map(({ fingerprint: _, ...removal }) => removal);
}

const tagged = stateOf(entityOf("Dataset", a, { tags: setOf([other, tag]) }));
const tagDeletion = deletionOf("Tag", tag, [["TaggedWith", a]]);
const tagRemoval = removalOf({ urn: a, facet: "tags", remove: [tag] });

test("only of a deletion that tells who refers to the entity are there references to remove", () => {
  const { references: _, ...noReferences } = tagDeletion;
  const { assignedTo: __, ...notAssigned } = tagDeletion;
  const created: EntityChange = { ...tagDeletion, action: "create" };
  const removal: Change = { ...removalOf({ urn: a, facet: "tags", remove: [tag] }), fingerprint: "" };

  expect(referencedDeletions([noReferences, notAssigned, created, removal, tagDeletion])).toEqual([
    tagDeletion,
  ]);
});

test.each<readonly [string, string, readonly string[]]>([
  ["Dataset", "Tag", ["tags", "columns.tags"]],
  ["Dataset", "User", ["owners"]],
  ["User", "User", ["manager_urn"]],
  ["Domain", "Domain", []],
  ["Dataset", "Domain", ["domain"]],
])("of a %s, what may refer to a deleted %s is read: %j", (kind, deleted, facets) => {
  const names = referringFacets(kind, [deletionOf(deleted, tag, [])]).map(({ name }) => name);

  expect(names.toSorted()).toEqual(facets.toSorted());
});

test("where nothing is deleted, no facet is read", () => {
  expect(referringFacets("Dataset", [])).toEqual([]);
});

test("of a set only the elements go that name what is deleted, from their place, for the reason of the deletion", () => {
  const columns = new Map([
    ["c", setOf([tag, other])],
    ["d", setOf([other])],
  ]);
  const state = stateOf(
    entityOf("Dataset", a, {
      tags: setOf([other, tag]),
      terms: setOf([tag]),
      "columns.tags": { shape: "map", entries: columns },
    }),
  );
  const deletion = deletionOf(
    "Tag",
    tag,
    [
      ["TaggedWith", a],
      ["EditableSchemaFieldTaggedWith", a],
    ],
    { source },
  );

  expect(removals([deletion], state)).toEqual([
    { ...tagRemoval, source },
    removalOf({ urn: a, facet: "columns.tags", path: ["c"], remove: [tag], source }),
  ]);
});

test("a single value becomes unset, with what was there before", () => {
  const state = stateOf(entityOf("Dataset", a, { domain: scalarOf(domain) }));
  const change = { action: "update", kind: "Dataset", urn: a, facet: "domain", isReference: true } as const;

  expect(referenceRemovals([deletionOf("Domain", domain, [["AssociatedWith", a]])], { state })).toEqual([
    {
      ...change,
      shape: "scalar",
      before: domain,
      after: null,
      fingerprint: fingerprintOf(scalarOf(domain), { shape: "scalar" }),
    },
  ]);
});

test("an owner goes in each of its roles, and several deletions take theirs from one set", () => {
  const owner = (of: Urn, type: string): { owner: Urn; type: string } => ({ owner: of, type });
  const state = stateOf(
    entityOf("Dataset", a, {
      owners: setOf([owner(user, "x"), owner(user, "y"), owner(friend, "x"), owner(group, "x")]),
    }),
  );
  const changes = [
    deletionOf("User", user, [["OwnedBy", a]]),
    deletionOf("Group", group, [["OwnedBy", a]], { source }),
  ];

  expect(removals(changes, state)).toEqual([
    removalOf({
      urn: a,
      facet: "owners",
      source,
      remove: [owner(group, "x"), owner(user, "x"), owner(user, "y")],
    }),
  ]);
});

test("what others do to the set meanwhile leaves the removal as it is", () => {
  const fingerprint = (...tags: readonly Urn[]): readonly string[] =>
    referenceRemovals([tagDeletion], {
      state: stateOf(entityOf("Dataset", a, { tags: setOf(tags) })),
    }).map((change) => change.fingerprint);

  expect(fingerprint(tag)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(fingerprint(tag, other)).toEqual(fingerprint(tag));
});

test.each<readonly [string, readonly EntityChange[], State]>([
  ["what the plan did not see", [deletionOf("Tag", tag, [["TaggedWith", b]])], tagged],
  ["what it saw as another relationship", [deletionOf("Tag", tag, [["OwnedBy", a]])], tagged],
  ["what the holder has no longer", [tagDeletion], stateOf(entityOf("Dataset", a, { tags: setOf([other]) }))],
  [
    "an unset value",
    [deletionOf("Domain", domain, [["AssociatedWith", a]])],
    stateOf(entityOf("Dataset", a, { domain: scalarOf(null) })),
  ],
  [
    "a parent, which the order of deletions sees to",
    [deletionOf("Domain", parent, [["IsPartOf", domain]])],
    stateOf(entityOf("Domain", domain, { parent_domain: scalarOf(parent) })),
  ],
  [
    "a reference of another kind than a deletion of this kind takes away",
    [deletionOf("Tag", tag, [["OwnedBy", a]]), deletionOf("Group", group, [["OwnedBy", b]])],
    stateOf(entityOf("Dataset", a, { owners: setOf([{ owner: tag, type: "x" }]) })),
  ],
])("%s is not removed", (_, changes, state) => {
  expect(removals(changes, state)).toEqual([]);
});

test("of several values of which only the first counts none is removed", () => {
  expect(removals([tagDeletion], tagged, [{ urn: a, facet: "tags" }])).toEqual([]);
  expect(
    removals([tagDeletion], tagged, [
      { urn: b, facet: "tags" },
      { urn: a, facet: "owners" },
    ]),
  ).toEqual([tagRemoval]);
});

describe("what another change of the plan does already is not done again", () => {
  const planned = (facet: string, ...remove: readonly Urn[]): Change => ({
    action: "update",
    kind: "Dataset",
    urn: a,
    shape: "set",
    facet,
    add: [],
    remove,
    fingerprint: "",
  });
  const second = urn("urn:li:tag:u");
  const deletions = [tagDeletion, deletionOf("Tag", second, [["TaggedWith", a]])];
  const state = stateOf(entityOf("Dataset", a, { tags: setOf([tag, second]) }));

  test.each<readonly [string, Change, readonly Urn[]]>([
    ["all of it", planned("tags", tag, second), []],
    ["a part of it", planned("tags", tag), [second]],
    ["another value", planned("tags", other), [tag, second]],
    ["the same of another facet", planned("owners", tag, second), [tag, second]],
    ["the same of another entity", { ...planned("tags", tag, second), urn: b }, [tag, second]],
  ])("a change that removes %s leaves the rest", (_, change, rest) => {
    expect(removals([...deletions, change], state)).toEqual(
      rest.length === 0 ? [] : [removalOf({ urn: a, facet: "tags", remove: rest })],
    );
  });

  test("a single value that the plan changes is left to it", () => {
    const change: Change = {
      action: "update",
      kind: "Dataset",
      urn: a,
      shape: "scalar",
      facet: "domain",
      before: domain,
      after: parent,
      fingerprint: "",
    };
    const having = stateOf(entityOf("Dataset", a, { domain: scalarOf(domain) }));

    expect(removals([deletionOf("Domain", domain, [["AssociatedWith", a]]), change], having)).toEqual([]);
  });
});

test("a group that is deleted loses the members by which the plan saw it, and no others", () => {
  const seen: Seen = [
    ["IsMemberOfNativeGroup", user],
    ["IsMemberOfGroup", friend],
    ["OwnedBy", a],
  ];

  const changes = [deletionOf("Group", group, seen, { source }), deletionOf("Tag", tag, seen)];

  expect(removals(changes, new Map())).toEqual([
    removalOf({ kind: "Group", urn: group, facet: "members", remove: [user, friend], source }),
  ]);
  expect(removals([deletionOf("Group", group, [["OwnedBy", a]])], new Map())).toEqual([]);
});
