import { expect, test } from "vitest";
import type { Change, Conflict, FacetChange } from "../../../src/model/change.ts";
import type { Finding } from "../../../src/model/plan.ts";
import { blockedBy, countValues, summarize } from "../../../src/plan/diff/summary.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const about = { action: "update", kind: "Dataset", urn: a, fingerprint: "" } as const;
const tag = { kind: "Tag", shape: "entity", fingerprint: "" } as const;

const single = (before: string | null, after: string | null): FacetChange => ({
  ...about,
  shape: "scalar",
  facet: "domain",
  before,
  after,
});
const tags = (add: readonly string[], remove: readonly string[]): FacetChange => ({
  ...about,
  shape: "set",
  facet: "tags",
  add,
  remove,
});

test.each<
  readonly [string, FacetChange, readonly [additions: number, replacements: number, removals: number]]
>([
  ["a value where there is none", single(null, "x"), [1, 0, 0]],
  ["a value in the place of another", single("x", "y"), [0, 1, 0]],
  ["a value that becomes unset", single("x", null), [0, 0, 1]],
  ["elements that come and go", tags(["x", "y"], ["z"]), [2, 0, 1]],
])("of a change, each value counts: %s", (_, change, [additions, replacements, removals]) => {
  expect(countValues(change)).toEqual({ additions, replacements, removals });
});

test("a summary counts entities and values that an apply changes, and what it leaves", () => {
  const conflict: Conflict = { base: null, live: "x", desired: "y" };
  const fight = { value: "x", times: 3, last: "", until: "" };
  const changes: readonly Change[] = [
    { ...tag, action: "create", urn: urn("urn:li:tag:new") },
    { ...tag, action: "delete", urn: urn("urn:li:tag:old") },
    { ...tag, action: "delete", urn: urn("urn:li:tag:older") },
    single(null, "x"),
    tags(["x", "y"], ["z"]),
    { ...single("x", "y"), urn: b },
    { ...single("x", "y"), urn: datasetNamed("c"), conflict } as FacetChange,
    { ...tags(["x"], []), urn: datasetNamed("d"), fights: [fight] },
  ];
  const unmanaged = [{ urn: a, kind: "Dataset", reason: "no-longer-declared" }] as const;

  expect(summarize(changes, 7, unmanaged, [])).toEqual({
    create: 1,
    update: 2,
    delete: 2,
    unchanged: 7,
    additions: 3,
    replacements: 1,
    removals: 1,
    unmanaged: 1,
    conflicts: 1,
    heldBack: 2,
    blocked: 0,
  });
});

test("what findings block counts once, and what they only warn of does not", () => {
  const finding = (severity: Finding["severity"], changes: Finding["changes"]): Finding => ({
    guard: "removals",
    severity,
    numbers: {},
    flag: "",
    setting: "",
    changes,
  });

  const findings = [
    finding("error", [{ urn: a, facet: "tags" }, { urn: a }]),
    finding("error", [{ facet: "tags", urn: a }, { urn: b }]),
    finding("warning", [{ urn: datasetNamed("c") }]),
  ];

  expect(blockedBy(findings)).toBe(3);
  expect(blockedBy([])).toBe(0);
});
