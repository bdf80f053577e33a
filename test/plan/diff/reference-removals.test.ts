import { describe, expect, test } from "vitest";
import type { Change, EntityChange, FacetChange, SetChange } from "../../../src/model/change.ts";
import type { Live } from "../../../src/model/live.ts";
import { type Entity, type FacetValue, type Member, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { referenceHash } from "../../../src/plan/diff/deletion.ts";
import {
  referencedDeletions,
  referenceRemovals,
  referringFacets,
} from "../../../src/plan/diff/reference-removals.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const [pii, kept] = [urn("urn:li:tag:pii"), urn("urn:li:tag:kept")];
const [fin, sales] = [urn("urn:li:corpGroup:fin"), urn("urn:li:domain:sales")];
const [alice, bob] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpuser:bob")];
const source = { file: "a.yaml", line: 4, column: 1, base: true } as const;
const ownedBy = (owner: Urn): Member => ({ owner, type: "urn:li:ownershipType:__system__data_steward" });

type Seen = readonly (readonly [type: string, from: Urn])[];

/** A deletion of an entity that a plan saw referred to. */
function deletionOf(kind: string, of: Urn, seen: Seen, more: Partial<EntityChange> = {}): EntityChange {
  return {
    action: "delete",
    shape: "entity",
    kind,
    urn: of,
    fingerprint: "",
    references: seen.map(([type, from]) => referenceHash(type, from)),
    assignedTo: seen.map(([, from]) => from).toSorted(),
    ...more,
  };
}

const holding = (of: Urn, facets: Readonly<Record<string, FacetValue>>): Entity =>
  entityOf("Dataset", of, facets);

type Bare<Each> = Each extends FacetChange ? Omit<Each, "fingerprint"> : never;

/** The removals without their fingerprints. */
function removals(
  changes: readonly Change[],
  holders: readonly Entity[] = [],
  more: Pick<Live, "several"> = {},
): readonly Bare<FacetChange>[] {
  return referenceRemovals(changes, { state: stateOf(...holders), ...more }).map(
    ({ fingerprint: _, ...removal }) => removal,
  );
}

const about = { action: "update", kind: "Dataset", urn: a, isReference: true } as const;
const removal = (facet: string, remove: readonly Member[], more: Partial<SetChange> = {}): object => ({
  ...about,
  facet,
  shape: "set",
  add: [],
  remove,
  covers: { elements: [], except: ["*"] },
  ...more,
});
const column = (tags: FacetValue): FacetValue => ({ shape: "map", entries: new Map([["id", tags]]) });

describe("a reference to what is deleted is removed", () => {
  test.each<readonly [string, EntityChange, Readonly<Record<string, FacetValue>>, object]>([
    [
      "from a set",
      deletionOf("Tag", pii, [["TaggedWith", a]]),
      { tags: setOf([kept, pii]) },
      removal("tags", [pii]),
    ],
    [
      "from the owners, with the type of ownership",
      deletionOf("Group", fin, [["OwnedBy", a]]),
      { owners: setOf([ownedBy(alice), ownedBy(fin)]) },
      removal("owners", [ownedBy(fin)]),
    ],
    [
      "from a column",
      deletionOf("Tag", pii, [["EditableSchemaFieldTaggedWith", a]]),
      { "columns.tags": column(setOf([pii])), tags: setOf([pii]) },
      removal("columns.tags", [pii], { path: ["id"] }),
    ],
    [
      "where it is the only value",
      deletionOf("Domain", sales, [["AssociatedWith", a]]),
      { domain: scalarOf(sales) },
      { ...about, facet: "domain", shape: "scalar", before: sales, after: null },
    ],
    [
      "at the place that no longer declares what is deleted",
      deletionOf("Tag", pii, [["TaggedWith", a]], { source }),
      { tags: setOf([pii]) },
      removal("tags", [pii], { source }),
    ],
  ])("%s", (_, deletion, facets, expected) => {
    expect(removals([deletion], [holding(a, facets), holding(b, facets)])).toStrictEqual([expected]);
  });

  test("with those to all else that is deleted, at the place of the first", () => {
    const seen: Seen = [["TaggedWith", a]];
    const deletions = [
      deletionOf("Tag", pii, seen, { source: { ...source, line: 9 } }),
      deletionOf("Tag", kept, seen, { source }),
    ];

    expect(removals(deletions, [holding(a, { tags: setOf([kept, pii]) })])).toStrictEqual([
      removal("tags", [kept, pii], { source }),
    ]);
  });

  test("whatever others do to the set meanwhile: it does not change the fingerprint", () => {
    const deletion = deletionOf("Tag", pii, [["TaggedWith", a]]);
    const [one, other] = [[pii], [kept, pii]].map((tags) =>
      referenceRemovals([deletion], { state: stateOf(holding(a, { tags: setOf(tags) })) }),
    );

    expect(one).toEqual(other);
    expect(one?.[0]?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("no reference is removed", () => {
  const seen: Seen = [["TaggedWith", a]];
  const { references: _, ...unseen } = deletionOf("Tag", pii, seen);
  const { assignedTo: __, ...unnamed } = deletionOf("Tag", pii, seen);
  const tagged = holding(a, { tags: setOf([pii]) });
  const inSales = holding(a, { domain: scalarOf(sales) });
  const ofSales = deletionOf("Domain", sales, [["AssociatedWith", a]]);

  test.each<readonly [string, readonly Change[], Entity, Pick<Live, "several">]>([
    ["that the plan did not see", [deletionOf("Tag", pii, [["TaggedWith", b]])], tagged, {}],
    ["that the holder has no more", [deletionOf("Tag", pii, seen)], holding(a, { tags: setOf([kept]) }), {}],
    ["where the plan does not know what refers to it", [unseen], tagged, {}],
    ["where the plan does not know what it is assigned to", [unnamed], tagged, {}],
    ["where nothing is deleted", [deletionOf("Tag", pii, seen, { action: "create" })], tagged, {}],
    [
      "of several values of which only the first counts",
      [ofSales],
      inSales,
      { several: [{ urn: a, facet: "domain", values: [] }] },
    ],
    [
      "to what is deleted from what is no reference",
      [ofSales],
      holding(a, { description: scalarOf(sales) }),
      {},
    ],
  ])("%s", (__name, changes, holder, several) => {
    expect(removals(changes, [holder], several)).toEqual([]);
  });

  const { isReference: ___, ...own } = about;
  const planned = (facet: string, more: object): Change =>
    ({ ...own, facet, fingerprint: "", ...more }) as unknown as Change;
  const ofTags = (add: readonly Urn[], remove: readonly Urn[]): Change =>
    planned("tags", { shape: "set", add, remove });

  test("that another change of the plan removes; the others are", () => {
    const deletions = [deletionOf("Tag", pii, seen), deletionOf("Tag", kept, seen)];
    const both = holding(a, { tags: setOf([kept, pii]) });

    expect(removals([...deletions, ofTags([], [pii])], [both])).toStrictEqual([removal("tags", [kept])]);
    expect(removals([...deletions, ofTags([], [pii, kept])], [both])).toEqual([]);
    expect(
      removals([...deletions, planned("owners", { shape: "set", add: [], remove: [] })], [both]),
    ).toEqual([removal("tags", [kept, pii])]);
  });

  test("from a single value that another change of the plan sets", () => {
    expect(
      removals([ofSales, planned("domain", { shape: "scalar", before: sales, after: "x" })], [inSales]),
    ).toEqual([]);
  });
});

describe("with a group that is deleted", () => {
  const seen: Seen = [
    ["IsMemberOfNativeGroup", bob],
    ["OwnedBy", a],
    ["IsMemberOfGroup", alice],
  ];

  test("its members leave it: those that the plan saw in it", () => {
    expect(removals([deletionOf("Group", fin, seen, { source })])).toStrictEqual([
      removal("members", [alice, bob], { kind: "Group", urn: fin, source }),
    ]);
    expect(removals([deletionOf("Group", fin, seen.slice(0, 1))])).toStrictEqual([
      removal("members", [bob], { kind: "Group", urn: fin }),
    ]);
  });

  test("nobody leaves it where the plan saw nobody in it, and nothing that is no group has members", () => {
    expect(removals([deletionOf("Group", fin, [["OwnedBy", a]]), deletionOf("Tag", pii, seen)])).toEqual([]);
  });
});

test("the deletions of a plan that says what refers to what is deleted are those with references and holders", () => {
  const deletion = deletionOf("Tag", pii, []);
  const { references: _, ...unseen } = deletion;
  const { assignedTo: __, ...unnamed } = deletion;
  const create = deletionOf("Tag", kept, [], { action: "create" });
  const set: Change = { ...about, fingerprint: "", shape: "set", facet: "tags", add: [], remove: [] };

  expect(referencedDeletions([set, create, unseen, unnamed, deletion])).toEqual([deletion]);
});

test.each<readonly [string, readonly EntityChange[], readonly string[]]>([
  ["a tag", [deletionOf("Tag", pii, [])], ["tags", "columns.tags"]],
  [
    "a domain or a group",
    [deletionOf("Domain", sales, []), deletionOf("Group", fin, [])],
    ["owners", "domain"],
  ],
  ["a data product", [deletionOf("DataProduct", urn("urn:li:dataProduct:p"), [])], []],
  ["what cannot be deleted", [deletionOf("Dataset", a, [])], []],
  ["nothing", [], []],
])("of a dataset these facets may refer to %s", (_, deletions, expected) => {
  const names = referringFacets("Dataset", deletions).map(({ name }) => name);
  expect(names.toSorted()).toEqual(expected.toSorted());
});
