import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { KindName } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { deletionPhase, orderChanges, phaseOf } from "../../../src/plan/order/order.ts";
import type { ParentOf } from "../../../src/plan/sides/parents.ts";
import { datasetNamed, urn } from "../../support/states.ts";

// By kind, then URN, then facet, then column; what names no facet or column comes first.
const inOrder: readonly (readonly [KindName, string, string?, string?])[] = [
  ["Domain", "z", "name"],
  ["Tag", "y", "name"],
  ["User", "x", "title"],
  ["Group", "w", "members"],
  ["Dataset", "a"],
  ["Dataset", "a", "A"],
  ["Dataset", "a", "columns.tags"],
  ["Dataset", "a", "columns.tags", "B"],
  ["Dataset", "a", "columns.tags", "a"],
  ["Dataset", "a", "domain"],
  ["Dataset", "b", "columns.tags", "a"],
  ["Container", "a", "domain"],
];

const changes = inOrder.map(([kind, id, facet, column]): Change => {
  const about = { action: "update", kind, urn: urn(`urn:li:x:${id}`), fingerprint: "" } as const;
  const place = { ...(facet !== undefined && { facet }), ...(column !== undefined && { column }) };
  return { ...about, ...place, add: [], remove: [] } as unknown as Change;
});

test.each([
  ["in order", changes],
  ["in the opposite order", changes.toReversed()],
  [
    "in another",
    [...changes.filter((_, index) => index % 3 === 1), ...changes.filter((_, index) => index % 3 !== 1)],
  ],
])("changes that come %s are shown by kind, URN, facet and column", (_, given) => {
  expect(orderChanges(given)).toEqual(changes);
});

const domain = (id: string): Urn => urn(`urn:li:domain:${id}`);
const parents = new Map([
  [domain("below"), domain("middle")],
  [domain("middle"), domain("top")],
]);
const parentOf: ParentOf = (of) => parents.get(of);

const phase = (kind: KindName, of: Urn, facet?: string): number =>
  phaseOf({ kind, urn: of, ...(facet !== undefined && { facet }) }, parentOf);

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
  const first = phase("Domain", domain("top"));

  expect(phase("Domain", domain("alone"))).toBe(first);
  expect(phase("Domain", domain("middle"))).toBeGreaterThan(first);
  expect(phase("Tag", urn("urn:li:tag:t"))).toBeGreaterThan(first);
});

test("a circle of domains comes to an end, before the tags", () => {
  const circle = new Map([
    [domain("a"), domain("b")],
    [domain("b"), domain("a")],
  ]);

  const inCircle = phaseOf({ kind: "Domain", urn: domain("a") }, (of) => circle.get(of));

  expect(inCircle).toBeLessThan(phase("Tag", urn("urn:li:tag:t")));
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
