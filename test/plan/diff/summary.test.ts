import { expect, test } from "vitest";
import type { Change, FacetChange, ScalarChange, SetChange } from "../../../src/model/change.ts";
import type { Finding } from "../../../src/model/plan.ts";
import type { Scalar } from "../../../src/model/state.ts";
import { blockedBy, countValues, summarise } from "../../../src/plan/diff/summary.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const [pii, gone] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gone")];
const about = { action: "update", kind: "Dataset", urn: a, fingerprint: "" } as const;

const scalar = (before: Scalar, after: Scalar, more: Partial<ScalarChange> = {}): ScalarChange => ({
  ...about,
  shape: "scalar",
  facet: "domain",
  before,
  after,
  ...more,
});
const set = (
  add: readonly string[],
  remove: readonly string[],
  more: Partial<SetChange> = {},
): SetChange => ({
  ...about,
  shape: "set",
  facet: "tags",
  add,
  remove,
  ...more,
});

test.each<readonly [string, FacetChange, number, number, number]>([
  ["elements that come and go", set(["x", "y"], ["z"]), 2, 0, 1],
  ["a value that is set", scalar(null, "x"), 1, 0, 0],
  ["a value that becomes another", scalar("x", "y"), 0, 1, 0],
  ["a value that is unset", scalar("x", null), 0, 0, 1],
  ["a value that ingestion wrote and that is hidden", scalar(null, null), 0, 0, 1],
])("of %s each is counted", (_, change, additions, replacements, removals) => {
  expect(countValues(change)).toEqual({ additions, replacements, removals });
});

test("a summary counts the entities and values that are written, and by themselves those that are not", () => {
  const conflict = { base: null, live: "x", desired: "y" };
  const fight = { value: "f", times: 3, last: "", until: "" };
  const changes: readonly Change[] = [
    { ...about, action: "create", shape: "entity", kind: "Tag", urn: pii },
    scalar(null, "PII", { action: "create", kind: "Tag", urn: pii, facet: "name" }),
    set(["x", "f"], [], { fights: [fight] }),
    scalar("x", null),
    scalar("x", "y", { urn: b, conflict }),
    scalar("x", "y", { urn: b, facet: "description", conflict: { ...conflict, winner: "desired" } }),
    { ...about, action: "delete", shape: "entity", kind: "Tag", urn: gone },
  ];
  const unmanaged = [{ urn: gone, kind: "Tag", reason: "no-longer-declared" }] as const;

  expect(summarise(changes, 7, unmanaged, [])).toEqual({
    create: 1,
    update: 2,
    delete: 1,
    unchanged: 7,
    additions: 2,
    replacements: 1,
    removals: 1,
    unmanaged: 1,
    conflicts: 1,
    heldBack: 2,
    blocked: 0,
  });
});

test("what errors block counts once each, whichever findings block it; warnings block nothing", () => {
  const finding = (severity: Finding["severity"], changes: Finding["changes"]): Finding =>
    ({ guard: "g", severity, changes }) as unknown as Finding;
  const [first, second, third] = [{ urn: a, facet: "tags" }, { urn: a, facet: "domain" }, { urn: b }];

  const findings = [
    finding("error", [first, second]),
    finding("error", [{ ...second }]),
    finding("warning", [third]),
  ];

  expect(blockedBy(findings)).toBe(2);
  expect(summarise([], 0, [], findings).blocked).toBe(2);
  expect(blockedBy([])).toBe(0);
});
