import { describe, expect, test } from "vitest";
import type { Person } from "../../../src/facets/people.ts";
import type { Change, EntityChange, ScalarChange, SetChange } from "../../../src/model/change.ts";
import { scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  afterChanges,
  changesOfPeople,
  facetsByStore,
  peopleAfter,
  touchedPeople,
} from "../../../src/plan/policies/planned.ts";
import type { People } from "../../../src/plan/policies/subject.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const [group, other] = [urn("urn:li:corpGroup:g"), urn("urn:li:corpGroup:other")];
const [user, stranger] = [urn("urn:li:corpuser:u"), urn("urn:li:corpuser:stranger")];
const fingerprint = "";

const members = (more: Partial<SetChange>): SetChange => ({
  action: "update",
  kind: "Group",
  urn: group,
  facet: "members",
  shape: "set",
  add: [],
  remove: [],
  fingerprint,
  ...more,
});
const entity = (of: Urn, action: EntityChange["action"]): Change => {
  return { action, shape: "entity", kind: of === user ? "User" : "Group", urn: of, fingerprint };
};
const scalar = (of: Urn, facet: string): ScalarChange => {
  const change = { action: "update", shape: "scalar", before: null, after: "x" } as const;
  return { ...change, kind: of === user ? "User" : "Group", urn: of, facet, fingerprint };
};

const known = { isActive: true, groups: [other] };
const gone = { isMissing: true, isActive: false, groups: [] } as const;
const people: People = new Map<Urn, Person>([
  [group, { isActive: true, groups: [] }],
  [user, known],
]);

interface Asked {
  readonly before?: People;
  readonly needed?: readonly Urn[];
}

/** What becomes of the user and the group. */
function after(changes: readonly Change[], asked: Asked = {}): People {
  const { before = people, needed = [user, group] } = asked;
  return peopleAfter(before, changes, new Set(needed));
}

describe("users and groups after a plan", () => {
  test("a group that only its members create is there, and they are in it", () => {
    const missing = new Map<Urn, Person>([
      [group, gone],
      [user, known],
    ]);
    const all = after([members({ action: "create", add: [user] })], { before: missing });
    expect(all.get(group)).toMatchObject({ isActive: true });
    expect(all.get(user)).toEqual({ isActive: true, groups: [other, group] });
  });

  test.each<readonly [string, readonly Change[], Person]>([
    [
      "joins a group once",
      [members({ add: [user] }), members({ add: [user] })],
      { ...known, groups: [other, group] },
    ],
    ["leaves a group", [members({ urn: other, remove: [user] })], { ...known, groups: [] }],
    ["stays in the others", [members({ remove: [user, "no URN"] })], known],
    ["is deleted", [entity(user, "delete")], { ...known, isActive: false }],
    ["stays where only a name changes", [scalar(user, "title")], known],
    ["stays where no members change", [members({ facet: "owners", add: [user] })], known],
  ])("a user %s", (_, changes, person) => {
    expect(after(changes).get(user)).toEqual(person);
  });

  test.each<readonly [string, Person, readonly Change[], Person]>([
    ["is created", gone, [entity(user, "create")], { ...gone, isActive: true }],
    [
      "is restored",
      gone,
      [{ ...scalar(user, "removed"), before: true, after: false }],
      { ...gone, isActive: true },
    ],
    ["is not restored by another field", gone, [scalar(user, "title")], gone],
    [
      "who is suspended stays so",
      { ...known, isActive: false },
      [scalar(user, "removed")],
      { ...known, isActive: false },
    ],
  ])("a user who is missing or inactive %s", (_, before, changes, person) => {
    expect(after(changes, { before: new Map([[user, before]]) }).get(user)).toEqual(person);
  });

  test("a user leaves a group that is deleted, and one of whom nothing is known stays unknown", () => {
    const leaving = after([entity(other, "delete")]);
    expect(leaving.get(user)).toEqual({ ...known, groups: [] });
    const unknown = [members({ add: [stranger] }), members({ urn: other, add: [stranger] })];
    expect(after(unknown, { needed: [stranger] })).toBe(people);
    expect(after([{ ...entity(user, "delete"), urn: stranger }], { needed: [stranger] })).toBe(people);
  });

  test("one that is created and not known has no groups", () => {
    expect([...after([entity(group, "create")], { before: new Map() })]).toEqual([
      [group, { groups: [], isActive: true }],
    ]);
  });

  test("they are the same where nothing changes for those that are needed", () => {
    const changes = [members({ add: [user] }), entity(user, "delete")];
    expect(after(changes, { needed: [stranger] })).toBe(people);
    expect(after([])).toBe(people);
    expect(after([], { before: new Map([[user, gone]]) }).get(user)).toEqual(gone);
  });
});

test("people are touched by a membership, by a deletion of their group, and where they come or go", () => {
  const deletion = { ...entity(other, "delete"), assignedTo: [user] } as Change;
  const touched = touchedPeople([
    members({ add: [user] }),
    deletion,
    entity(stranger, "create"),
    scalar(user, "title"),
  ]);
  expect([...touched.groups]).toEqual([[user, deletion]]);
  expect([...touched.activity.keys()]).toEqual([other, stranger]);
});

test("changes of people are those of users and groups", () => {
  const tag: Change = { ...scalar(group, "name"), kind: "Tag" };
  const ofPeople = [scalar(user, "title"), members({})];
  expect(changesOfPeople([tag, ...ofPeople])).toEqual(ofPeople);
});

test("facets are told apart by whether the entity stores them, or what is at the other ends of its edges", () => {
  const namesOf = (kind: string, ...names: readonly string[]): readonly (readonly string[])[] => {
    const { own, elsewhere } = facetsByStore(kind, new Set(names));
    return [own, elsewhere].map((facets) => facets.map(({ name }) => name));
  };
  expect(namesOf("Dataset", "tags", "data_products", "nothing")).toEqual([["tags"], ["data_products"]]);
  expect(namesOf("Group", "description", "members")).toEqual([["description"], ["members"]]);
  expect(namesOf("User", "title", "groups")).toEqual([["title"], ["groups"]]);
  expect(namesOf("DataProduct", "assets", "name")).toEqual([["name", "assets"], []]);
});

test("facets are as changes leave them, and one that could not be read stays unknown", () => {
  const of = { urn: datasetNamed("a"), kind: "Dataset" };
  const facets = new Map([["tags", setOf(["a", "b"])]]);
  const changes = [
    { ...members({ add: ["c"], remove: ["a"] }), ...of, facet: "tags" },
    { ...scalar(group, "domain"), ...of },
    { ...entity(group, "create"), ...of },
  ];
  expect([...afterChanges(facets, changes)]).toEqual([["tags", setOf(["b", "c"])]]);
  const withDomain = new Map([["domain", scalarOf(null)]]);
  expect([...afterChanges(withDomain, changes)]).toEqual([["domain", scalarOf("x")]]);
});
