import { describe, expect, test } from "vitest";
import type { Live } from "../../../src/model/live.ts";
import { type Entity, type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { deletionsFor, prunable } from "../../../src/plan/align/prune.ts";
import { entityOf, stateOf, urn } from "../../support/states.ts";

const [tag, user] = [urn("urn:li:tag:t"), urn("urn:li:corpuser:u")];
const [fin, ops] = ["urn:li:corpGroup:fin", "urn:li:corpGroup:ops"];
const prune = new Set(["Tag", "User", "Group"]);

// The values with which a rollback makes an entity again.
function valuesOf(live: Entity, found: Partial<Live> = {}): unknown {
  const state = stateOf(live);
  const policy = { base: state, prune, ignored: nothingIgnored };
  const [change] = deletionsFor(new Map(), state, policy, { state, ...found });
  return change?.values;
}

describe("a deletion keeps the values that its entity has", () => {
  test.each<readonly [string, FacetValue, readonly unknown[]]>([
    ["owners", setOf(["u"]), [{ facet: "owners", elements: ["u"] }]],
    ["owners", setOf([]), []],
    ["description", scalarOf("x"), [{ facet: "description", value: "x" }]],
    ["description", scalarOf(""), [{ facet: "description", value: "" }]],
    ["description", scalarOf(null), []],
    ["removed", scalarOf(true), [{ facet: "removed", value: true }]],
    ["removed", scalarOf(false), []],
    ["removed", scalarOf(null), []],
    [
      "structured_properties",
      {
        shape: "map",
        entries: new Map<string, FacetValue>([
          ["p", scalarOf(7)],
          ["q", setOf([])],
        ]),
      },
      [{ facet: "structured_properties", path: ["p"], value: 7 }],
    ],
  ])("of %s, as %j", (facet, value, expected) => {
    expect(valuesOf(entityOf("Tag", tag, { [facet]: value }))).toEqual(expected);
  });

  test("with the groups that a user stores, of both kinds, each once, and not as manifests list them", () => {
    const aspects = {
      groupMembership: { groups: [ops, fin, "no URN"] },
      nativeGroupMembership: { nativeGroups: [fin] },
      corpUserInfo: { active: true },
    };
    const deletable = new Map([[user, { aspects, referring: [], assignments: 0 }]]);
    const live = entityOf("User", user, { title: scalarOf("x"), groups: setOf([fin]) });

    expect(valuesOf(live, { deletable })).toEqual([
      { facet: "title", value: "x" },
      { facet: "groups", elements: [fin, ops] },
    ]);
  });

  test.each([
    ["none", {}],
    ["no list", { groupMembership: { groups: null } }],
    ["an empty list", { groupMembership: { groups: [] } }],
    ["no aspect", { groupMembership: "x" }],
  ])("without groups where a user stores %s", (_, aspects) => {
    const deletable = new Map([[user, { aspects, referring: [], assignments: 0 }]]);

    expect(valuesOf(entityOf("User", user, {}), { deletable })).toEqual([]);
  });

  test("without groups where the entity is none that is in groups", () => {
    const aspects = { groupMembership: { groups: [fin] } };
    const deletable = new Map([[tag, { aspects, referring: [], assignments: 0 }]]);

    expect(valuesOf(entityOf("Tag", tag, {}), { deletable })).toEqual([]);
  });

  test("but says nothing of them where the catalog was not read", () => {
    expect(valuesOf(entityOf("Tag", tag, { owners: setOf(["u"]) }), { state: new Map() })).toBeUndefined();
  });
});

describe("in a part of the entities", () => {
  const [one, other] = ["one", "other"].map((id) => entityOf("Tag", urn(`urn:li:tag:${id}`), {})) as [
    Entity,
    Entity,
  ];
  const policy = {
    base: stateOf(one, other),
    prune,
    ignored: nothingIgnored,
    part: new Set<Urn>([one.urn]),
  };

  test("what is outside of it is not deleted", () => {
    expect(prunable(new Map(), policy)).toEqual([one]);
  });

  test("what is outside of a shard is deleted too, since its entities may refer to it", () => {
    expect(prunable(new Map(), { ...policy, shard: { index: 1, of: 2 } })).toEqual([one, other]);
  });
});

test.each([
  ["without a base", { base: undefined, prune }],
  ["without a prune", { base: stateOf(entityOf("Tag", tag, {})), prune: undefined }],
])("nothing is deleted %s", (_, { base, prune: kinds }) => {
  const policy = { base, ignored: nothingIgnored, ...(kinds && { prune: kinds }) };

  expect(prunable(new Map(), policy)).toEqual([]);
});
