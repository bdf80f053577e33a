import { expect, test } from "vitest";
import { aspectsOfPeople, type Person, personIn } from "../../src/facets/people.ts";
import type { JsonObject } from "../../src/model/json.ts";

const active: Partial<Person> = { isActive: true, groups: [] };
const notActive: Partial<Person> = { isActive: false, groups: [] };
const missing: Partial<Person> = { isActive: false, isMissing: true, groups: [] };

test("whether people can act is read from their status, their info and their groups", () => {
  expect(aspectsOfPeople).toEqual([
    "status",
    "corpUserInfo",
    "corpUserStatus",
    "groupMembership",
    "nativeGroupMembership",
  ]);
});

test.each<readonly [string, boolean, JsonObject, Partial<Person>]>([
  ["who exists is active", true, {}, active],
  ["who is called active is active", true, { corpUserInfo: { active: true } }, active],
  ["whose status is active is active", true, { corpUserStatus: { status: "ACTIVE" } }, active],
  ["who is not removed is active", true, { status: { removed: false } }, active],
  ["who does not exist is missing", false, {}, missing],
  ["who is soft-deleted is missing", true, { status: { removed: true } }, missing],
  ["who is called inactive is not active", true, { corpUserInfo: { active: false } }, notActive],
  ["who is suspended is not active", true, { corpUserStatus: { status: "SUSPENDED" } }, notActive],
  [
    "who is soft-deleted and inactive is not just missing",
    true,
    { status: { removed: true }, corpUserInfo: { active: false } },
    notActive,
  ],
  [
    "who is soft-deleted and suspended is not just missing",
    true,
    { status: { removed: true }, corpUserStatus: { status: "SUSPENDED" } },
    notActive,
  ],
])("%s", (_, exists, aspects, person) => {
  expect(personIn(exists, aspects)).toEqual(person);
});

test("a person is in the groups of both lists, and what is no group there is left out", () => {
  const aspects = {
    groupMembership: { groups: ["urn:li:corpGroup:a", 7] },
    nativeGroupMembership: { nativeGroups: ["urn:li:corpGroup:b"] },
  };

  expect(personIn(true, aspects).groups).toEqual(["urn:li:corpGroup:a", "urn:li:corpGroup:b"]);
  expect(personIn(true, { groupMembership: { groups: "x" } }).groups).toEqual([]);
});
