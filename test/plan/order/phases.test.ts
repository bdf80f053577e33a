import { expect, test } from "vitest";
import type { KindName } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { deletionPhase, phaseOf } from "../../../src/plan/order/phases.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const domain = (id: string): Urn => urn(`urn:li:domain:${id}`);
const parents = new Map([
  [domain("below"), domain("middle")],
  [domain("middle"), domain("top")],
]);

const phase = (kind: KindName, of: Urn, facet?: string): number =>
  phaseOf({ kind, urn: of, ...(facet !== undefined && { facet }) }, parents);

test("what others refer to is written first: domains from the top, tags, users, groups, members, the rest", () => {
  const phases = [
    phase("Domain", domain("top"), "name"),
    phase("Domain", domain("middle")),
    phase("Domain", domain("below")),
    phase("Tag", urn("urn:li:tag:t")),
    phase("User", urn("urn:li:corpuser:u"), "title"),
    phase("Group", urn("urn:li:corpGroup:g"), "email"),
    phase("Group", urn("urn:li:corpGroup:g"), "members"),
    phase("Dataset", datasetNamed("a"), "tags"),
  ];

  expect(phases).toEqual([...new Set(phases)].toSorted((one, other) => one - other));
});

test.each<readonly [KindName, Urn]>([
  ["Domain", domain("top")],
  ["Tag", urn("urn:li:tag:t")],
  ["Group", urn("urn:li:corpGroup:g")],
  ["Container", urn("urn:li:container:c")],
])("owners of a %s are written with the assets, when all owners are there", (kind, of) => {
  expect(phase(kind, of, "owners")).toBe(phase("Dataset", datasetNamed("a"), "tags"));
});

test("a domain without a parent in the plan is first of all", () => {
  expect(phase("Domain", domain("top"))).toBe(0);
});

test("a circle of domains comes to an end, before the tags", () => {
  const circle = new Map([
    [domain("a"), domain("b")],
    [domain("b"), domain("a")],
  ]);

  expect(phaseOf({ kind: "Domain", urn: domain("a") }, circle)).toBeLessThan(
    phase("Tag", urn("urn:li:tag:t")),
  );
});

test("deletions come after all else, in reverse: groups, users, tags, then domains one after the other", () => {
  const phases = [
    phase("Dataset", datasetNamed("a"), "tags"),
    deletionPhase("Group", 3),
    deletionPhase("User", 2),
    deletionPhase("Tag", 1),
    deletionPhase("Domain", 0),
    deletionPhase("Domain", 1),
    deletionPhase("Domain", 2),
  ];

  expect(phases).toEqual([...new Set(phases)].toSorted((one, other) => one - other));
});
