import { describe, expect, test } from "vitest";
import { type FacetValue, scalarOf, setOf, type State, stateFrom } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  edgeContributions,
  entitiesToRead,
  groupListsIn,
  urnsOf,
  withEdgesAtGroups,
  withoutFacet,
} from "../../../src/plan/sides/base.ts";
import {
  datasetNamed,
  entityOf,
  memberships,
  stateOf,
  urn,
  withGroups,
  withoutBy,
} from "../../support/states.ts";

const a = datasetNamed("a");
const b = datasetNamed("b");
const [alice, bob] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpuser:bob")];
const [fin, ops] = [urn("urn:li:corpGroup:fin"), urn("urn:li:corpGroup:ops")];
const origin = { file: "catalog/a.yaml", line: 4, column: 1 };
const listing = (...groups: readonly Urn[]): { origin: typeof origin; groups: ReadonlySet<Urn> } => ({
  origin,
  groups: new Set(groups),
});

function namesIn(state: State): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...state].map(([of, { facets }]) => [of, [...facets.keys()].toSorted()]));
}

describe("what must be read", () => {
  test("is what is declared where no base is known", () => {
    const desired = stateOf(entityOf("Dataset", a, {}));

    expect(entitiesToRead(desired, undefined)).toBe(desired);
  });

  test("is every entity and facet that is declared or was", () => {
    const desired = stateOf(entityOf("Dataset", a, { tags: setOf([]) }));
    const before = stateOf(
      entityOf("Dataset", a, { tags: setOf([]), owners: setOf([]) }),
      entityOf("Dataset", b, { domain: scalarOf("d") }),
    );

    const state = entitiesToRead(desired, before);

    expect(namesIn(state)).toEqual({ [a]: ["owners", "tags"], [b]: ["domain"] });
  });

  test("has of what is declared on both sides what is declared now", () => {
    const desired = stateOf(entityOf("Dataset", a, { tags: setOf(["new"]) }));
    const before = stateOf(entityOf("Dataset", a, { tags: setOf(["old"]), owners: setOf([]) }));

    const state = entitiesToRead(desired, before);

    expect(state.get(a)?.facets.get("tags")).toEqual(setOf(["new"]));
  });

  test("is every column that is declared or was, as it is declared now", () => {
    const tagged = (columns: Readonly<Record<string, string>>): State => {
      const entries = Object.entries(columns).map(([column, tag]) => [column, setOf([tag])] as const);
      const value: FacetValue = { shape: "map", entries: new Map(entries) };
      return stateOf(entityOf("Dataset", a, { "columns.tags": value }));
    };
    const before = tagged({ id: "old", email: "old" });

    expect(new Map(entitiesToRead(tagged({ id: "new" }), before))).toEqual(
      tagged({ id: "new", email: "old" }),
    );
  });

  test("is an entity as it is declared where nothing else of it was", () => {
    const now = entityOf("Dataset", a, { tags: setOf(["new"]), owners: setOf([]) });
    const before = stateOf(entityOf("Dataset", a, { owners: setOf(["old"]) }));

    expect(entitiesToRead(stateOf(now), before).get(a)).toBe(now);
  });

  test("has the groups of users of both sides, those that are declared now first", () => {
    const desired = withGroups(new Map(), new Map([[alice, listing(fin)]]));
    const before = withGroups(
      new Map(),
      new Map([
        [alice, listing(ops)],
        [bob, listing(ops)],
      ]),
    );

    const groups = groupListsIn(entitiesToRead(desired, before), memberships);

    expect(new Map([...groups].map(([user, list]) => [user, list.members]))).toEqual(
      new Map([
        [alice, [fin]],
        [bob, [ops]],
      ]),
    );
  });
});

test("the URNs of a set are those of its elements that are one; what is no set has none", () => {
  expect(urnsOf(setOf([alice, "alice", { owner: bob }]))).toEqual([alice]);
  expect(urnsOf(undefined)).toEqual([]);
});

describe("the members of a group in base", () => {
  test("are those that it lists and those that list it, each once", () => {
    const members = setOf([alice], origin);
    const state = stateOf(entityOf("Group", fin, { members, description: scalarOf("x") }));
    const groups = new Map([
      [alice, listing(ops)],
      [bob, listing(fin)],
    ]);

    const joined = withoutBy(withEdgesAtGroups(withGroups(state, groups)));

    expect([...joined.keys()]).toEqual([fin, alice, bob, ops]);
    for (const user of [alice, bob]) expect(joined.get(user)).toEqual(entityOf("User", user, {}));
    expect(joined.get(fin)?.facets).toEqual(
      new Map<string, unknown>([
        ["members", setOf([alice, bob], origin)],
        ["description", scalarOf("x")],
      ]),
    );
    expect(joined.get(ops)).toEqual(entityOf("Group", ops, { members: setOf([alice]) }));
  });

  test("are all users that list it", () => {
    const groups = new Map([alice, bob].map((user) => [user, listing(fin)]));

    expect(
      withoutBy(withEdgesAtGroups(withGroups(new Map(), groups)))
        .get(fin)
        ?.facets.get("members"),
    ).toEqual(setOf([alice, bob]));
  });

  test("are as they are listed where no user lists it", () => {
    const state = stateOf(
      entityOf("Group", fin, { members: setOf([alice], origin) }),
      entityOf("Group", ops, {}),
      entityOf("User", alice, {}),
    );

    expect(withoutBy(withEdgesAtGroups(withGroups(state, new Map([[alice, listing()]]))))).toEqual(state);
  });

  test("are those that list it where it lists none, or something that is no list", () => {
    for (const facets of [{}, { members: scalarOf(bob) }]) {
      const state = stateOf(entityOf("Group", fin, facets));
      const joined = withEdgesAtGroups(withGroups(state, new Map([[alice, listing(fin)]])));

      expect(withoutBy(joined.get(fin)?.facets.get("members"))).toStrictEqual(setOf([alice]));
    }
  });
});

test("the groups of users are found without a look at assets", () => {
  const user = entityOf("User", alice, { groups: setOf([fin]) });
  const state = stateFrom(new Map([a, alice].map((of) => [of, of])), (of) => {
    if (of !== alice) throw new Error(`${of} was looked at`);
    return user;
  });

  expect(groupListsIn(state, memberships)).toEqual(new Map([[alice, setOf([fin])]]));
});

test("who declares the members of a group are its own documents, and those of members that list groups", () => {
  const [inGroup, inBoth] = [
    { ...origin, line: 5 },
    { ...origin, line: 6 },
  ];
  const by = [
    { rule: "r", origin: inGroup, values: [ops] },
    { origin: inBoth, values: [fin, ops] },
  ];
  const side = { group: fin, listed: setOf([bob], origin), members: ["alice", alice, bob] };
  const lists = new Map([[alice, { ...setOf([fin, ops]), by }]]);
  const ofMembers = [
    { rule: "r", origin: inGroup, end: alice, values: [] },
    { origin: inBoth, end: alice, values: [alice] },
  ];

  expect(edgeContributions(side, lists)).toStrictEqual([{ origin, values: [bob] }, ...ofMembers]);
  expect(edgeContributions({ ...side, listed: undefined }, lists)).toStrictEqual(ofMembers);
});

test("an entity without a facet declares all others, and is the same where it did not declare it", () => {
  const entity = entityOf("Dataset", a, { tags: setOf([]), owners: setOf([]) });
  expect(withoutFacet(entity, "tags")).toEqual(entityOf("Dataset", a, { owners: setOf([]) }));
  expect(withoutFacet(entity, "domain")).toBe(entity);
});
