import { describe, expect, test } from "vitest";
import type { Change, Conflict, Fight, ScalarChange, SetChange } from "../../../src/model/change.ts";
import { type Member, scalarOf, type Scalar } from "../../../src/model/state.ts";
import { withMovedValues } from "../../../src/plan/diff/conflicts.ts";
import {
  hasFights,
  isFoughtOver,
  isHeldBack,
  partitionHeldBack,
  skippedOutcomes,
} from "../../../src/plan/diff/held-back.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const about = { action: "update", kind: "Dataset", urn: a, fingerprint: "f" } as const;
const owner = (id: string): Member => ({ owner: `urn:li:corpuser:${id}`, type: "t" });

const over = (...values: readonly (Member | Scalar)[]): readonly Fight[] =>
  values.map((value) => ({ value, times: 3, last: "2024-01-01T00:00:00Z", until: "2024-01-02T00:00:00Z" }));
const set = (more: Partial<SetChange>): SetChange => ({
  ...about,
  shape: "set",
  facet: "tags",
  add: [],
  remove: [],
  ...more,
});
const scalar = (more: Partial<ScalarChange> = {}): ScalarChange => ({
  ...about,
  shape: "scalar",
  facet: "domain",
  before: "x",
  after: "y",
  ...more,
});
const deletion: Change = {
  ...about,
  action: "delete",
  shape: "entity",
  kind: "Tag",
  urn: urn("urn:li:tag:t"),
};

describe("a value is fought over", () => {
  const added = set({ add: ["x", owner("ada")], remove: ["z"], fights: over(owner("ada")) });
  const removed = set({ add: ["x"], remove: ["y", "z"], fights: over("z") });

  test.each<readonly [string, SetChange | ScalarChange, Member | Scalar, boolean]>([
    ["where others set it back", added, owner("ada"), true],
    ["where others put it back", removed, "z", true],
    ["where it goes in exchange for one that others set back", added, "z", true],
    ["not where it comes with one", added, "x", false],
    ["not where it goes with one that others put back", removed, "y", false],
    ["not where it comes for one", removed, "x", false],
    ["not where no value is", set({ add: ["x"], remove: ["z"] }), "z", false],
    ["where it is the single value that others set back", scalar({ fights: over("y") }), "y", true],
    ["not where it is another single value", scalar({ fights: over("y") }), "x", false],
  ])("%s", (_, change, value, expected) => {
    expect(isFoughtOver(change, value)).toBe(expected);
  });
});

test("a plan has fights where a change has one", () => {
  const fought = scalar({ fights: over("y") });
  expect(hasFights({ changes: [deletion, set({}), fought] })).toBe(true);
  expect(hasFights({ changes: [deletion, set({}), scalar()] })).toBe(false);
});

describe("of a set that is fought over", () => {
  const removed = ["r", "z"].map((value) => ({ value, declaredBefore: true }));
  const fights = over("x", "z");
  const change = set({ add: ["w", "x"], remove: ["y", "z"], removed, fights });
  const goes = set({
    add: ["w"],
    remove: ["y", "z"],
    removed: [{ value: "z", declaredBefore: true }],
    fights: over("z"),
  });

  test("what is free is carried out, and the rest is held back", () => {
    expect(partitionHeldBack({ changes: [goes] })).toStrictEqual({
      pending: [set({ add: ["w"], remove: ["y"] })],
      skipped: [{ ...goes, add: [], remove: ["z"] }],
    });
  });

  test("nothing goes in exchange for what is held back", () => {
    expect(partitionHeldBack({ changes: [change] })).toStrictEqual({
      pending: [set({ add: ["w"], removed: [{ value: "r", declaredBefore: true }] })],
      skipped: [
        set({ add: ["x"], remove: ["y", "z"], removed: [{ value: "z", declaredBefore: true }], fights }),
      ],
    });
  });

  test("the fingerprint of what is free covers also what is held back", () => {
    const covers = { elements: ["c"], except: ["*"] };
    const { pending } = partitionHeldBack({ changes: [{ ...goes, covers }] });

    expect(pending).toStrictEqual([
      set({ add: ["w"], remove: ["y"], covers: { elements: ["c", "z"], except: ["*"] } }),
    ]);
  });

  test("all is held back where nothing is free", () => {
    const whole = set({ add: ["x"], remove: ["y"], fights: over("x") });

    expect(partitionHeldBack({ changes: [whole] })).toEqual({ pending: [], skipped: [whole] });
    expect([whole, change, deletion, set({ add: ["x"] })].map(isHeldBack)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test("what goes alone is carried out also without anything that comes", () => {
    const leaving = set({ remove: ["y", "z"], fights: over("z") });
    expect(partitionHeldBack({ changes: [leaving] }).pending).toEqual([set({ remove: ["y"] })]);
  });

  test("the parts are the same ones each time: outcomes are about them", () => {
    const [one, other] = [1, 2].map(() => partitionHeldBack({ changes: [change] }));
    expect(one?.pending[0]).toBe(other?.pending[0]);
    expect(one?.skipped[0]).toBe(other?.skipped[0]);
  });
});

test("a single value that is fought over is held back", () => {
  const change = scalar({ fights: over("y") });
  expect(partitionHeldBack({ changes: [change] })).toEqual({ pending: [], skipped: [change] });
});

test("the report says of each change that is held back why", () => {
  const conflict = (more: Partial<Conflict>): Partial<ScalarChange> => ({
    conflict: { base: null, live: "x", desired: "y", ...more },
  });
  const because = (change: Change): string | undefined =>
    skippedOutcomes({ changes: [change] }).map((outcome) => ("because" in outcome ? outcome.because : ""))[0];

  expect(
    [
      set({ add: ["x"], fights: over("x") }),
      scalar(conflict({ moved: true })),
      scalar(conflict({})),
      scalar(conflict({ winner: "live" })),
    ].map(because),
  ).toMatchInlineSnapshot(`
    [
      "others set it back again and again: it was written 3 times and is written again from 2024-01-02T00:00:00Z on, or after a commit that changes what is declared",
      "conflict: the live value is kept, because somebody changed it after the run",
      "conflict: the live value is kept until it is declared or --force-conflicts overwrites it",
      "conflict: the live value is kept (--skip-conflicts, or \`conflicts: skip\` in the settings)",
    ]
  `);
});

describe("in a rollback", () => {
  const left = stateOf(entityOf("Dataset", a, { domain: scalarOf("left"), description: scalarOf(null) }));
  const conflict = { base: "b", live: "x", desired: "y" };
  const moved = (base: Scalar, live: Scalar): Partial<ScalarChange> => ({
    before: live,
    conflict: { base, live, desired: "y", moved: true },
  });

  test.each<readonly [string, Change, Change]>([
    ["a value that others changed stays", scalar({ conflict }), scalar(moved("left", "x"))],
    ["a value that others unset stays", scalar({ before: null }), scalar(moved("left", null))],
    ["a value that is as the run left it goes back", scalar(), scalar()],
    [
      "a value that the run unset goes back",
      scalar({ facet: "description", before: null }),
      scalar({ facet: "description", before: null }),
    ],
    [
      "a value that others set after the run unset it stays",
      scalar({ facet: "description", conflict }),
      scalar({ facet: "description", ...moved(null, "x") }),
    ],
    [
      "a value of a new entity goes back",
      scalar({ action: "create", conflict }),
      scalar({ action: "create", conflict }),
    ],
    [
      "what the run left nothing of goes back",
      scalar({ facet: "title", conflict }),
      scalar({ facet: "title", conflict }),
    ],
    ["a set goes back", set({ facet: "domain", add: ["x"] }), set({ facet: "domain", add: ["x"] })],
    ["an entity goes back", deletion, deletion],
  ])("%s", (_, change, expected) => {
    expect(withMovedValues([change], left)).toEqual([expected]);
  });
});
