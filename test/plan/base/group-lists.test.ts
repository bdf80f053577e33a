import { describe, expect, test } from "vitest";
import { type Entity, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  entitiesToRead,
  groupListsIn,
  urnsOf,
  withEdgesAtGroups,
} from "../../../src/plan/base/group-lists.ts";
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

  test("is an entity as it is declared where nothing else of it was", () => {
    const now = entityOf("Dataset", a, { tags: setOf(["new"]), owners: setOf([]) });
    const before = stateOf(entityOf("Dataset", a, { owners: setOf(["old"]) }));

    expect(entitiesToRead(stateOf(now), before).get(a)).toBe(now);
  });

  test("is every column that is declared or was, each as it is declared now", () => {
    const columns = (tags: Readonly<Record<string, readonly string[]>>): Entity =>
      entityOf("Dataset", a, {
        "columns.tags": {
          shape: "map",
          entries: new Map(Object.entries(tags).map(([column, own]) => [column, setOf(own)])),
        },
      });
    const now = columns({ id: ["new"], email: [] });
    const before = columns({ id: ["old"], amount: ["old"] });

    const state = entitiesToRead(stateOf(now), stateOf(before));

    expect(state.get(a)).toEqual(columns({ id: ["new"], email: [], amount: ["old"] }));
    expect(entitiesToRead(stateOf(now), stateOf(columns({ id: ["old"] }))).get(a)).toBe(now);
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

test("only what can be a member of a group lists groups", () => {
  const state = withGroups(
    stateOf(entityOf("Dataset", a, { groups: setOf([fin]) })),
    new Map([[alice, [fin]]]),
  );
  expect(groupListsIn(state, memberships)).toEqual(new Map([[alice, setOf([fin])]]));
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

  test("name all that declare them: documents of the group, and of each user", () => {
    const byTwo = [
      { origin, values: [ops, fin] },
      { rule: "r", values: [ops] },
    ];
    const state = stateOf(
      entityOf("Group", fin, { members: setOf([alice], origin) }),
      entityOf("User", alice, { groups: { ...setOf([fin, ops]), by: byTwo } }),
      entityOf("User", bob, { groups: setOf([fin]) }),
    );

    const joined = withEdgesAtGroups(state);

    expect(joined.get(fin)?.facets.get("members")).toEqual({
      ...setOf([alice, bob], origin),
      by: [
        { origin, values: [alice] },
        { origin, end: alice, values: [alice] },
        { rule: "r", end: alice, values: [] },
        { end: bob, values: [bob] },
      ],
    });
    expect(joined.get(ops)?.facets.get("members")).toEqual({
      ...setOf([alice]),
      by: [byTwo[0], byTwo[1]].map((each) => ({ ...each, end: alice, values: [alice] })),
    });
  });
});
