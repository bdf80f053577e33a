import { expect, test } from "vitest";
import type { Person } from "../../../src/facets/people.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { peopleAfter } from "../../../src/plan/judge/planned.ts";
import type { People } from "../../../src/plan/judge/subject.ts";
import { urn } from "../../support/states.ts";

const group = urn("urn:li:corpGroup:g");
const user = urn("urn:li:corpuser:u");

test("a group that only its members create is there afterwards, and they are in it", () => {
  const changes: readonly Change[] = [
    {
      action: "create",
      kind: "Group",
      urn: group,
      facet: "members",
      shape: "set",
      add: [user],
      remove: [],
      fingerprint: "",
    },
  ];
  const people: People = new Map<Urn, Person>([
    [group, { isMissing: true, isActive: false, groups: [] }],
    [user, { isActive: true, groups: [] }],
  ]);
  const after = peopleAfter(people, { changes, isComing: () => false }, new Set([group, user]));
  expect(after.get(group)).toMatchObject({ isActive: true });
  expect(after.get(user)).toMatchObject({ isActive: true, groups: [group] });
});
