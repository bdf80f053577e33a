import { describe, expect, test } from "vitest";
import { type FacetChange, isSetChange } from "../../../src/model/change.ts";
import type { Mode, Modes } from "../../../src/model/settings.ts";
import {
  type Entity,
  type FacetValue,
  type KindName,
  type Member,
  type Scalar,
  scalarOf,
  setOf,
  type State,
} from "../../../src/model/state.ts";
import { adopt } from "../../../src/plan/align/adopt.ts";
import { diff } from "../../../src/plan/diff/diff.ts";
import { ignoring } from "../../../src/plan/base/ignore.ts";
import { noted } from "../../support/noted.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";
import type { OnConflict } from "../../../src/plan/base/policy.ts";

const a = datasetNamed("a");
const t = urn("urn:li:tag:t");

interface Case {
  readonly mode?: Mode;
  readonly kind?: KindName;
  readonly facet?: string;
  readonly want: FacetValue;
  readonly have: FacetValue;
  /** What base declares of the facet; `false` where it knows the entity without it. */
  readonly base?: FacetValue | false;
  readonly winner?: OnConflict;
}

// The changes of one facet under a mode; what begins with `ignored` is ignored.
function changesOf({ mode = "authoritative", facet = "tags", ...rest }: Case): readonly FacetChange[] {
  const { kind = "Dataset", want, have, base, winner } = rest;
  const state = (value: FacetValue | false): State =>
    stateOf(entityOf(kind, kind === "Tag" ? t : a, value ? { [facet]: value } : {}));
  const modes: Modes = { [facet]: mode };
  const ignored = ignoring([{ value: "ignored*", reason: "r" }]);
  const rules = { modes, ignored, base: base === undefined ? undefined : state(base) };
  const [desired, live] = [state(want), state(have)];
  return noted(
    diff(adopt(desired, live, rules).state, live),
    { desired, live },
    { ...rules, ...(winner && { onConflict: winner }) },
  );
}

function columns(entries: Readonly<Record<string, readonly string[]>>): FacetValue {
  return {
    shape: "map",
    entries: new Map(Object.entries(entries).map(([column, tags]) => [column, setOf(tags)])),
  };
}

describe("what a change takes away", () => {
  const owner = (type: string): Member => ({ owner: "u", type });

  // What goes, what base declares, and for each value that goes whether base declares it.
  test.each<readonly [string, Omit<Case, "mode">, readonly (boolean | null)[]]>([
    ["a value of base", { want: setOf([]), have: setOf(["x"]), base: setOf(["x"]) }, [true]],
    ["a value of others", { want: setOf([]), have: setOf(["x"]), base: setOf(["y"]) }, [false]],
    [
      "a value of each",
      { want: setOf(["z"]), have: setOf(["x", "y", "z"]), base: setOf(["x", "z"]) },
      [true, false],
    ],
    [
      "a value where base does not declare the facet",
      { want: setOf([]), have: setOf(["x"]), base: false },
      [false],
    ],
    ["a value where no base is known", { want: setOf([]), have: setOf(["x"]) }, [null]],
    [
      "an owner in a role of base, and one in another",
      { facet: "owners", want: setOf([]), have: setOf([owner("x"), owner("y")]), base: setOf([owner("y")]) },
      [false, true],
    ],
    [
      "a value of a column",
      {
        facet: "columns.tags",
        want: columns({ c: [] }),
        have: columns({ c: ["x", "y"], d: [] }),
        base: columns({ c: ["x"], d: ["y"] }),
      },
      [true, false],
    ],
    [
      "a single value of base",
      { facet: "domain", want: scalarOf(null), have: scalarOf("x"), base: scalarOf("x") },
      [true],
    ],
    [
      "a single value of others",
      { facet: "domain", want: scalarOf("w"), have: scalarOf("x"), base: scalarOf("w") },
      [false],
    ],
    [
      "a single value where no base is known",
      { facet: "domain", want: scalarOf("w"), have: scalarOf("x") },
      [null],
    ],
    [
      "a single value where base knows a set",
      { facet: "domain", want: scalarOf(null), have: scalarOf(7), base: setOf(["7"]) },
      [false],
    ],
  ])("is marked: %s", (_, given, marks) => {
    const [change] = changesOf(given);
    const { have, want } = given;
    const gone = have.shape === "scalar" ? [have.value] : change && isSetChange(change) ? change.remove : [];

    expect(change?.removed).toEqual(gone.map((value, index) => ({ value, declaredBefore: marks[index] })));
    expect(want).not.toEqual(have);
  });

  test.each<readonly [string, Case]>([
    ["where a set only gains", { want: setOf(["x"]), have: setOf([]), base: setOf(["x"]) }],
    ["where a single value was unset", { facet: "domain", want: scalarOf("x"), have: scalarOf(null) }],
    [
      "of what nobody can declare",
      { kind: "Tag", facet: "removed", want: scalarOf(false), have: scalarOf(true), base: false },
    ],
  ])("is not spoken of %s", (_, given) => {
    const changes = changesOf(given);

    expect(changes).toHaveLength(1);
    expect(changes[0]).not.toHaveProperty("removed");
  });
});

describe("somebody else's single value", () => {
  // A mode, what is declared, what is there, what base declares (`false`: not this facet), and the conflict.
  test.each<readonly [Mode, Scalar, Scalar, Scalar | false | undefined, object | undefined]>([
    ["merge", "new", "live", "live", undefined],
    ["merge", "new", "live", "base", { base: "base", live: "live", desired: "new" }],
    ["merge", "new", "live", "new", { base: "new", live: "live", desired: "new" }],
    ["merge", "new", "live", null, { base: null, live: "live", desired: "new" }],
    ["merge", "new", "live", false, { base: null, live: "live", desired: "new" }],
    ["merge", "new", "live", undefined, { base: null, live: "live", desired: "new" }],
    ["merge", null, "live", undefined, { base: null, live: "live", desired: null }],
    ["merge", null, "live", "live", undefined],
    ["merge", "new", null, "base", undefined],
    ["merge", "new", null, undefined, undefined],
    ["authoritative", "new", "live", "base", undefined],
    ["authoritative", "new", "live", undefined, undefined],
    ["additive", "new", null, "base", undefined],
  ])("under %s: %j over %j, with %j in base, is the conflict %j", (mode, want, have, before, conflict) => {
    const base = before === undefined || before === false ? before : scalarOf(before);
    const given = { mode, facet: "domain", want: scalarOf(want), have: scalarOf(have) };
    const [change, ...more] = changesOf({ ...given, ...(base !== undefined && { base }) });

    expect(more).toEqual([]);
    expect(change).toMatchObject({ before: have, after: want });
    if (conflict) expect(change).toHaveProperty("conflict", conflict);
    else expect(change).not.toHaveProperty("conflict");
  });

  test.each<OnConflict>(["desired", "live"])("is settled where it is said that %s wins", (winner) => {
    const given = { mode: "merge", facet: "domain", want: scalarOf("new"), have: scalarOf("live") } as const;

    expect(changesOf({ ...given, ...(winner && { winner }) })).toMatchObject([
      { conflict: { live: "live", desired: "new", winner } },
    ]);
    expect(changesOf(given)[0]).not.toHaveProperty("conflict.winner");
  });

  test("a base that knows it as a set has not declared it", () => {
    const given = { mode: "merge", facet: "domain", want: scalarOf("new"), have: scalarOf("live") } as const;

    expect(changesOf({ ...given, base: setOf(["live"]) })).toMatchObject([
      { conflict: { base: null, live: "live", desired: "new" } },
    ]);
  });

  test("values of a set are in no conflict", () => {
    expect(changesOf({ mode: "merge", want: setOf(["x"]), have: setOf(["y"]) })[0]).not.toHaveProperty(
      "conflict",
    );
  });
});

describe("the fingerprint of a change", () => {
  const fingerprint = (given: Case): string | undefined => changesOf(given)[0]?.fingerprint;
  const want = setOf(["declared", "declared-2"]);
  const base = setOf(["base"]);
  const sets = (given: Partial<Case>): Case => ({ want, have: setOf([]), base, ...given });

  // A mode, what was there, what is there now, whether the change is still the same.
  test.each<readonly [Mode, readonly string[], readonly string[], boolean]>([
    ["authoritative", ["x"], ["x"], true],
    ["authoritative", ["x"], ["x", "y"], false],
    ["authoritative", ["x"], [], false],
    ["authoritative", ["x"], ["x", "declared"], false],
    ["authoritative", ["x"], ["x", "ignored"], true],
    ["merge", ["x"], ["y", "z"], true],
    ["merge", ["x"], ["x", "ignored"], true],
    ["merge", ["x"], ["x", "declared"], false],
    ["merge", ["x", "base"], ["x"], false],
    ["additive", ["x"], ["y", "z"], true],
    ["additive", ["x"], ["x", "declared"], false],
    ["additive", ["x", "base"], ["x"], false],
  ])("under %s, from %j to %j, is the same: %j", (mode, before, now, isSame) => {
    const [first, second] = [before, now].map((have) => fingerprint(sets({ mode, have: setOf(have) })));

    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(first === second).toBe(isSame);
  });

  test("where no base is known sees of what is there what is declared", () => {
    const seen = (have: readonly string[]): string | undefined =>
      fingerprint({ mode: "merge", want, have: setOf(have) });

    expect(seen(["base"])).toBe(seen(["x"]));
    expect(seen(["declared"])).not.toBe(seen(["x"]));
  });

  test("of a single value is that of the value, under every mode", () => {
    const seen = (mode: Mode, have: Scalar): string | undefined =>
      fingerprint({ mode, facet: "domain", want: scalarOf("new"), have: scalarOf(have) });

    expect(new Set([seen("authoritative", "x"), seen("merge", "x")]).size).toBe(1);
    expect(seen("merge", "y")).not.toBe(seen("merge", "x"));
    expect(seen("authoritative", "y")).not.toBe(seen("authoritative", "x"));
    expect(seen("additive", null)).toBe(seen("merge", null));
  });

  test("of a column sees no other column", () => {
    const seen = (d: readonly string[], c: readonly string[] = ["x"]): string | undefined =>
      fingerprint({ facet: "columns.tags", want: columns({ c: [] }), have: columns({ c, d }) });

    expect(seen(["x"])).toBe(seen(["y"]));
    expect(seen(["x"], ["y"])).not.toBe(seen(["x"]));
  });
});

test("a change is the difference, with nothing that is not known", () => {
  const [change] = changesOf({ want: setOf(["x"]), have: setOf([]) });

  expect(Object.keys(change ?? {}).toSorted()).toEqual([
    "action",
    "add",
    "covers",
    "facet",
    "fingerprint",
    "kind",
    "remove",
    "shape",
    "urn",
  ]);
});

test("the mode is that of the entity's own manifest", () => {
  const want: Entity = {
    ...entityOf("Dataset", a, { domain: scalarOf("new") }),
    manage: { domain: "merge" },
  };
  const live = stateOf(entityOf("Dataset", a, { domain: scalarOf("live") }));
  const rules = { modes: {}, ignored: ignoring([]), base: undefined };

  const desired = stateOf(want);
  const changes = noted(diff(desired, live), { desired, live }, rules);

  expect(changes).toMatchObject([{ conflict: { live: "live" } }]);
});

test("a value that a prune takes away says so, and no other", () => {
  const [want, have] = [setOf([]), setOf(["x"])];
  const base = setOf(["x"]);

  expect(changesOf({ want: { ...want, isPruned: true }, have, base })).toMatchObject([{ pruned: true }]);
  expect(changesOf({ want, have, base })[0]).not.toHaveProperty("pruned");
});

// What a user lists is planned as members of the group, of which a manifest says nothing then.
test.each([
  ["what the group declares is covered as a whole", true, { elements: ["urn:li:corpuser:b"], except: [] }],
  ["what only users declare, by the change alone", false, { elements: [], except: ["*"] }],
])("of members %s", (_, isWritten, covers) => {
  const group = urn("urn:li:corpGroup:g");
  const membersOf = (...ids: readonly string[]): State =>
    stateOf(entityOf("Group", group, { members: setOf(ids.map((id) => `urn:li:corpuser:${id}`)) }));
  const [desired, live] = [membersOf("a", "b"), membersOf("b")];
  const declared = isWritten ? desired : stateOf(entityOf("Group", group, {}));
  const rules = { modes: {}, ignored: ignoring([]), base: undefined };
  const [change] = noted(diff(desired, live), { desired, live, declared }, rules);

  expect(change).toMatchObject({ add: ["urn:li:corpuser:a"], remove: [], covers });
});
