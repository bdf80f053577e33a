import { describe, expect, test } from "vitest";
import type { Change, Conflict, Fight, ScalarChange, SetChange } from "../../src/model/change.ts";
import { type Entity, type Member, scalarOf, setOf } from "../../src/model/state.ts";
import {
  hasFights,
  heldBackIn,
  isValueHeldBack,
  isHeldBack,
  pendingIn,
  withLiveValues,
} from "../../src/model/held-back.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../support/states.ts";
import { skippedOutcomes } from "../../src/plan/order/skipped-outcomes.ts";

const a = datasetNamed("a");
const about = { action: "update", kind: "Dataset", urn: a, fingerprint: "f" } as const;
const deletion: Change = {
  action: "delete",
  shape: "entity",
  kind: "Tag",
  urn: urn("urn:li:tag:t"),
  fingerprint: "",
};

const fight = (value: Member): Fight => ({ value, times: 3, last: "then", until: "later" });

function tags(add: readonly Member[], remove: readonly Member[], more: Partial<SetChange> = {}): SetChange {
  return { ...about, shape: "set", facet: "tags", add, remove, ...more };
}

function partsOf(changes: readonly Change[]): Record<"pending" | "skipped", readonly Change[]> {
  return { pending: pendingIn(changes), skipped: heldBackIn(changes) };
}

function domain(more: Partial<ScalarChange> = {}): ScalarChange {
  return { ...about, shape: "scalar", facet: "domain", before: "live", after: "ours", ...more };
}

describe("of a set with values that others set back", () => {
  test.each<readonly [string, readonly string[], readonly string[], readonly string[], readonly string[]]>([
    ["an addition that is fought over", ["x"], ["y"], ["x"], ["x", "y"]],
    ["an addition beside one that is fought over", ["x", "z"], ["y"], ["x"], ["x", "y"]],
    ["a removal that is fought over", ["x"], ["y", "z"], ["y"], ["y"]],
    ["no value", ["x"], ["y"], [], []],
  ])("what is held back is %s, and what would go in exchange", (_, add, remove, fought, held) => {
    const change = tags(add, remove, { fights: fought.map(fight) });

    expect([...add, ...remove, "elsewhere"].filter((value) => isValueHeldBack(change, value))).toEqual(held);
  });

  test("the rest is carried out, with a fingerprint that covers all of the change", () => {
    const removed = ["y", "z"].map((value) => ({ value, declaredBefore: true }));
    const covers = { elements: ["base"], except: ["*"] };
    const change = tags(["x", "w"], ["y", "z"], { removed, covers, fights: [fight("y")] });

    expect(partsOf([change, deletion])).toEqual({
      pending: [
        tags(["x", "w"], ["z"], {
          removed: [removed[1]!],
          covers: { elements: ["base", "y"], except: ["*"] },
        }),
        deletion,
      ],
      skipped: [tags([], ["y"], { removed: [removed[0]!], covers, fights: [fight("y")] })],
    });
    expect(isHeldBack(change)).toBe(false);
  });

  test("where all elements are covered, nothing is said of single ones", () => {
    const fights = [fight("y")];

    expect(partsOf([tags(["x"], ["y"], { fights })])).toEqual({
      pending: [tags(["x"], [])],
      skipped: [tags([], ["y"], { fights })],
    });
  });

  test.each<readonly [string, Change]>([
    ["all its additions", tags(["x"], ["y"], { fights: [fight("x")] })],
    ["its only removal", tags([], ["y"], { fights: [fight("y")] })],
    ["a single value", domain({ fights: [fight("ours")] })],
  ])("a change is held back as a whole that is fought over in %s", (_, change) => {
    expect(partsOf([change])).toEqual({ pending: [], skipped: [change] });
    expect(isHeldBack(change)).toBe(true);
  });

  test("a change that removes as much as it adds is not held back for that", () => {
    const change = tags(["x"], ["y", "z"], { fights: [fight("z")] });

    expect(pendingIn([change])).toEqual([tags(["x"], ["y"])]);
  });

  test("the parts are the same objects each time, so that outcomes can be found by them", () => {
    const changes = [tags(["x"], ["y"], { fights: [fight("y")] })];
    const [first, second] = [partsOf(changes), partsOf(changes)];

    expect(second.pending[0]).toBe(first.pending[0]);
    expect(second.skipped[0]).toBe(first.skipped[0]);
  });
});

test("an owner is fought over only in the role that others set back", () => {
  const owner = (type: string): Member => ({ owner: "u", type });
  const change = tags([owner("x"), owner("y")], [], { facet: "owners", fights: [fight(owner("x"))] });

  expect(change.add.map((value) => isValueHeldBack(change, value))).toEqual([true, false]);
});

test("a single value is fought over where it is the one that others set back", () => {
  const change = domain({ fights: [fight("ours")] });

  expect(isValueHeldBack(change, "ours")).toBe(true);
  expect(isValueHeldBack(change, "live")).toBe(false);
  expect(isValueHeldBack(domain(), "ours")).toBe(false);
});

test.each<readonly [string, readonly Change[], boolean]>([
  [
    "one of whose changes is fought over",
    [deletion, tags(["x"], []), domain({ fights: [fight("ours")] })],
    true,
  ],
  ["without such a change", [deletion, tags(["x"], [])], false],
  ["without changes", [], false],
])("a plan %s has fights: %j", (_, changes, expected) => {
  expect(hasFights({ changes })).toBe(expected);
});

describe("the report says why a value is held back", () => {
  const conflict: Conflict = { base: null, live: "live", desired: "ours" };

  test.each<readonly [string, Change, string]>([
    [
      "someone keeps reverting it",
      domain({ fights: [fight("ours")] }),
      "it was written 3 times, but someone keeps reverting it; the next attempt is after later, or after a commit that changes the declaration",
    ],
    [
      "someone changed it after the run that is rolled back",
      domain({ conflict: { ...conflict, moved: true } }),
      "conflict: the live value is kept, because someone changed it after the run",
    ],
    [
      "nobody said which value wins",
      domain({ conflict }),
      "conflict: the live value is kept until it is declared or --force-conflicts overwrites it",
    ],
    [
      "the live value is to win",
      domain({ conflict: { ...conflict, winner: "live" } }),
      "conflict: the live value is kept (--skip-conflicts, or `conflicts: skip` in the settings)",
    ],
  ])("%s", (_, change, because) => {
    expect(skippedOutcomes({ changes: [change] })).toEqual([
      {
        status: "skipped",
        operation: expect.objectContaining({ id: "held-1", changes: [change] }) as object,
        because,
      },
    ]);
  });
});

describe("a state keeps", () => {
  const planned: Entity = entityOf("Dataset", a, { domain: scalarOf("ours"), tags: setOf(["x"]) });

  test.each<readonly [string, Change]>([
    ["an addition to a set that is held back", tags(["x"], [], { fights: [fight("x")] })],
    ["an entity of which a deletion is held back", { ...deletion, urn: a }],
    ["a single value whose facet is a set", { ...domain({ fights: [fight("ours")] }), facet: "tags" }],
    ["a set whose facet is a single value", tags(["x"], [], { facet: "domain", fights: [fight("x")] })],
    ["what is not managed", { ...domain({ fights: [fight("ours")] }), facet: "title" }],
    ["a single value of which nothing is held back", domain()],
    ["what is of another entity", { ...domain({ fights: [fight("ours")] }), urn: datasetNamed("b") }],
  ])("%s as it is planned", (_, change) => {
    expect(withLiveValues(stateOf(planned), [change])).toEqual(stateOf(planned));
  });

  test("the live value of what is held back, though others follow", () => {
    const kept = withLiveValues(stateOf(planned), [domain({ fights: [fight("ours")] }), deletion]);

    expect(kept).toEqual(stateOf(entityOf("Dataset", a, { domain: scalarOf("live"), tags: setOf(["x"]) })));
  });
});
