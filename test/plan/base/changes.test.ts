import { describe, expect, test } from "vitest";
import type { Change, EntityChange, FacetChange } from "../../../src/model/change.ts";
import type { KindName } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { changesFrom, creationOf, isDeletion, orderDeletions } from "../../../src/plan/base/changes.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const origin = { file: "catalog/tags.yaml", line: 2, column: 1 };
const [pii, gold, old] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gold"), urn("urn:li:tag:old")];

const describing = (kind: KindName, of: Urn): FacetChange => ({
  action: "update",
  shape: "scalar",
  kind,
  urn: of,
  facet: "description",
  before: null,
  after: "text",
  fingerprint: "",
});

const deletion: EntityChange = {
  action: "delete",
  shape: "entity",
  kind: "Tag",
  urn: old,
  fingerprint: "",
};

describe("the changes of a plan", () => {
  const a = datasetNamed("a");
  const updates = [describing("Dataset", a), describing("Tag", pii), describing("Tag", gold)];
  const declared = stateOf(entityOf("Tag", pii, {}), entityOf("Tag", gold, {}));

  test("come in their order, those of new entities as creations, and deletions last", () => {
    expect(changesFrom(declared, updates, new Set([pii]), [deletion])).toEqual([
      describing("Tag", gold),
      { ...describing("Tag", pii), action: "create" },
      describing("Dataset", a),
      deletion,
    ]);
  });

  test("name a new entity of which nothing is declared, with its place", () => {
    const found = changesFrom(
      stateOf({ ...entityOf("Tag", pii, {}), origin }, entityOf("Tag", gold, {})),
      [describing("Dataset", a)],
      new Set([pii, gold]),
      [],
    );

    expect(found).toEqual([
      creationOf({ kind: "Tag", urn: gold }),
      creationOf({ kind: "Tag", urn: pii, source: origin }),
      describing("Dataset", a),
    ]);
  });

  test("name no new entity that is not declared", () => {
    expect(changesFrom(stateOf(), [], new Set([pii]), [])).toEqual([]);
  });
});

test("a creation has the fingerprint of nothing, and the place of what declares the entity", () => {
  const creation: object = {
    action: "create",
    shape: "entity",
    kind: "Tag",
    urn: pii,
    fingerprint: "74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b",
  };

  expect(creationOf({ kind: "Tag", urn: pii })).toStrictEqual(creation);
  expect(creationOf({ kind: "Tag", urn: pii, source: origin })).toStrictEqual({
    ...creation,
    source: origin,
  });
});

test.each<readonly [readonly Change[], boolean]>([
  [[deletion], true],
  [[describing("Tag", pii), deletion], true],
  [[describing("Tag", pii)], false],
  [[], false],
])("an operation is a deletion where one of its changes is one: %#", (changes, is) => {
  expect(isDeletion({ changes })).toBe(is);
});

test("entities are deleted by kind, the last one first, the lowest first in a tree, then by URN", () => {
  const [top, middle, low] = ["top", "middle", "low"].map((id) => urn(`urn:li:domain:${id}`)) as [
    Urn,
    Urn,
    Urn,
  ];
  const parents = new Map([
    [middle, top],
    [low, middle],
  ]);
  const inOrder = [
    entityOf("Group", urn("urn:li:corpGroup:a"), {}),
    entityOf("Tag", gold, {}),
    entityOf("Tag", pii, {}),
    entityOf("Domain", low, {}),
    entityOf("Domain", middle, {}),
    entityOf("Domain", urn("urn:li:domain:alone"), {}),
    entityOf("Domain", top, {}),
  ];
  const parentOf = (of: Urn): Urn | undefined => parents.get(of);

  expect(orderDeletions(inOrder.toReversed(), parentOf)).toEqual(inOrder);
  expect(orderDeletions(inOrder, parentOf)).toEqual(inOrder);
});
