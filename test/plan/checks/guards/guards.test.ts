import { describe, expect, test } from "vitest";
import type { Change, SetChange } from "../../../../src/model/change.ts";
import {
  type FacetValue,
  type Member,
  type Scalar,
  scalarOf,
  setOf,
  type State,
} from "../../../../src/model/state.ts";
import {
  countsOf,
  guardFindings as judge,
  isBlocked,
  type Limits,
  defaultLimits,
} from "../../../../src/plan/checks/guards/index.ts";
import { type CountedState, exceedsPercent } from "../../../../src/plan/checks/guards/guard.ts";
import type { Urn } from "../../../../src/model/urn.ts";
import { ignoring, nothingIgnored } from "../../../../src/plan/base/ignore.ts";
import { widest } from "../../../support/limits.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../../support/states.ts";

function guardFindings(guarded: CountedState, limits: Limits): ReturnType<typeof judge> {
  return judge({ changes: guarded.changes, counts: countsOf(guarded) }, limits);
}

const a = datasetNamed("a");
const b = datasetNamed("b");
const tag = urn("urn:li:tag:old");

const nothing: CountedState = { changes: [], desired: new Map(), live: new Map(), ignored: nothingIgnored };
const open: Limits = {
  ...widest,
  removals: { ...widest.removals, min_existing: 1 },
  vanished: { ...widest.vanished, min_existing: 0 },
};
const removalLimits = (limits: Partial<Limits["removals"]>): Limits => ({
  ...open,
  removals: { ...open.removals, ...limits },
});

const tagsTo = (number: number): readonly string[] =>
  Array.from({ length: number }, (_, index) => `t${index}`);

function setChange(remove: readonly Member[], more: Partial<SetChange> = {}): Change {
  return {
    action: "update",
    shape: "set",
    kind: "Dataset",
    urn: a,
    facet: "tags",
    add: [],
    remove,
    fingerprint: "f",
    ...more,
  };
}

function scalarChange(before: Scalar, after: Scalar, more: object = {}): Change {
  const about = { action: "update", kind: "Dataset", urn: a, facet: "domain", fingerprint: "f" } as const;
  return { ...about, shape: "scalar", before, after, ...more };
}

function deletion(of = tag): Change {
  return { action: "delete", shape: "entity", kind: "Tag", urn: of, fingerprint: "f" };
}

const one = (facet: string, value: FacetValue): State => stateOf(entityOf("Dataset", a, { [facet]: value }));

// A dataset that has so many tags and loses some of them.
function losing(removals: number, existing: number): CountedState {
  const changes = removals > 0 ? [setChange(tagsTo(removals))] : [];
  return { ...nothing, changes, desired: one("tags", setOf([])), live: one("tags", setOf(tagsTo(existing))) };
}

describe("removals are blocked", () => {
  // How many go, of how many, the limits, whether it is too much by share and by number.
  test.each<readonly [number, number, Partial<Limits["removals"]>, boolean, boolean]>([
    [3, 10, { max_percent: 30 }, false, false],
    [4, 10, { max_percent: 30 }, true, false],
    [1, 1, { max_percent: 99 }, true, false],
    [10, 10, { max_percent: 100 }, false, false],
    [1, 1000, { max_percent: 0 }, true, false],
    [0, 10, { max_percent: 0, max_count: 0 }, false, false],
    [9, 9, { max_percent: 30, min_existing: 10 }, false, false],
    [10, 10, { max_percent: 30, min_existing: 10 }, true, false],
    [5, 100, { max_count: 5 }, false, false],
    [6, 100, { max_count: 5 }, false, true],
    [6, 10, { max_percent: 30, max_count: 5 }, true, true],
    [3, 3, { min_existing: 10, max_percent: 30, max_count: 2 }, false, true],
  ])(
    "where %i of %i go under %j: by their share %j, by their number %j",
    (gone, all, limits, share, number) => {
      const settings = guardFindings(losing(gone, all), removalLimits(limits)).map(({ setting }) => setting);

      expect(settings).toEqual([
        ...(share ? ["guards.removals.max_percent"] : []),
        ...(number ? ["guards.removals.max_count"] : []),
      ]);
    },
  );

  test("with the numbers, and the flag and the setting that allow it", () => {
    const about = {
      guard: "removals",
      severity: "error",
      facet: "tags",
      changes: [{ urn: a, facet: "tags" }],
    };

    expect(
      guardFindings(losing(4, 13), removalLimits({ max_percent: 30, max_count: 3, min_existing: 10 })),
    ).toEqual([
      {
        ...about,
        numbers: { removals: 4, existing: 13, percent: 30.8, max_percent: 30, min_existing: 10 },
        flag: "--max-removals 31%",
        setting: "guards.removals.max_percent",
      },
      {
        ...about,
        numbers: { removals: 4, existing: 13, max_count: 3 },
        flag: "--max-removals 4",
        setting: "guards.removals.max_count",
      },
    ]);
  });

  test.each([
    [1, 3],
    [301, 1000],
    [3001, 10_000],
    [2, 3],
    [7, 7],
  ])("%i of %i by a share that is above the limit as it is shown, and goes with the flag", (gone, all) => {
    const [finding] = guardFindings(losing(gone, all), removalLimits({ max_percent: 30 }));
    const allowed = Number(/(\d+)%$/.exec(finding?.flag ?? "")?.[1]);

    expect(finding?.numbers["percent"]).toBeGreaterThan(30);
    expect(guardFindings(losing(gone, all), removalLimits({ max_percent: allowed }))).toEqual([]);
    expect(guardFindings(losing(gone, all), removalLimits({ max_percent: allowed - 1 }))).toHaveLength(1);
  });

  test("facet by facet: what one loses does not count for another", () => {
    const [state, live] = [
      { tags: setOf([]), owners: setOf([]) },
      { tags: setOf(tagsTo(10)), owners: setOf(tagsTo(10)) },
    ].map((facets) => stateOf(entityOf("Dataset", a, facets)));
    const changes = [setChange(tagsTo(3)), setChange(tagsTo(4), { facet: "owners" })];
    const guarded = { ...nothing, changes, desired: state ?? new Map(), live: live ?? new Map() };

    expect(guardFindings(guarded, removalLimits({ max_percent: 30, max_count: 6 }))).toMatchObject([
      { facet: "owners", numbers: { removals: 4, existing: 10 } },
    ]);
  });

  test("over all entities at once, each of its changes named", () => {
    const of = (tags: readonly string[]): State =>
      stateOf(entityOf("Dataset", a, { tags: setOf(tags) }), entityOf("Dataset", b, { tags: setOf(tags) }));
    const changes = [setChange(["t0", "t1"]), setChange(["t0"], { urn: b })];
    const guarded = { ...nothing, changes, desired: of([]), live: of(tagsTo(4)) };

    expect(guardFindings(guarded, removalLimits({ max_count: 2 }))).toMatchObject([
      {
        numbers: { removals: 3, existing: 8 },
        changes: [
          { urn: a, facet: "tags" },
          { urn: b, facet: "tags" },
        ],
      },
    ]);
  });
});

describe("a plan keeps for the guards", () => {
  const urns = ["b", "c", "a"].map((id) => urn(`urn:li:tag:${id}`));

  test("how many values there are of what it takes away, and what has vanished, in order", () => {
    expect(countsOf({ ...losing(2, 5), vanished: { urns, of: 9 } })).toStrictEqual({
      existing: { tags: 5 },
      vanished: { urns: urns.toSorted(), of: 9 },
    });
  });

  test("nothing of what it does not take away, and nothing where nothing has vanished", () => {
    expect(countsOf({ ...losing(0, 5), vanished: { urns: [], of: 9 } })).toStrictEqual({});
    expect(countsOf(losing(0, 5))).toStrictEqual({});
  });
});

test("a finding names the changes that take something away, and no others", () => {
  const changes = [setChange(["x"]), setChange([], { urn: b, add: ["x"] }), deletion()];

  expect(guardFindings({ ...nothing, changes }, removalLimits({ max_count: 0 }))).toMatchObject([
    { guard: "removals", numbers: { removals: 1 }, changes: [{ urn: a, facet: "tags" }] },
  ]);
});

test("a guard blocks a plan by a finding that is an error, not by a warning, and no policy does", () => {
  const finding = { guard: "removals", numbers: {}, flag: "", setting: "", changes: [] } as const;
  const [error, warning] = [
    { ...finding, severity: "error" as const },
    { ...finding, severity: "warning" as const },
  ];

  expect(isBlocked({ findings: [warning, error] })).toBe(true);
  expect(isBlocked({ findings: [warning] })).toBe(false);
  expect(isBlocked({ findings: [{ ...error, guard: "policy" }] })).toBe(false);
  expect(isBlocked({ findings: [] })).toBe(false);
});

describe("of what is there counts", () => {
  const counted = (guarded: Partial<CountedState>): number | undefined => {
    const changes = [setChange(["t0"]), scalarChange("d", null)];
    const findings = guardFindings({ ...nothing, changes, ...guarded }, removalLimits({ max_count: 0 }));
    const tags = findings.find(({ facet }) => facet === "tags");
    return tags?.numbers["existing"];
  };

  test("what stands in a facet where it is declared, and no other", () => {
    const live = stateOf(
      entityOf("Dataset", a, { tags: setOf(tagsTo(3)), owners: setOf(tagsTo(5)) }),
      entityOf("Dataset", b, { tags: setOf(tagsTo(7)) }),
    );
    const desired = stateOf(
      entityOf("Dataset", a, { tags: setOf([]) }),
      entityOf("Dataset", b, { owners: setOf([]) }),
      entityOf("Dataset", datasetNamed("absent"), { tags: setOf([]) }),
    );

    expect(counted({ desired, live })).toBe(3);
  });

  test("not what is ignored", () => {
    const ignored = ignoring([{ facet: "tags", value: "t1", reason: "r" }]);
    const [desired, live] = [one("tags", setOf([])), one("tags", setOf(tagsTo(3)))];

    expect(counted({ desired, live, ignored })).toBe(2);
  });

  test("of columns those that are declared", () => {
    const columns = (names: readonly string[]): State =>
      one("tags", { shape: "map", entries: new Map(names.map((name) => [name, setOf(tagsTo(2))])) });

    expect(counted({ desired: columns(["x", "y", "new"]), live: columns(["x", "y", "z"]) })).toBe(4);
    expect(counted({ desired: columns(["x"]), live: new Map() })).toBe(0);
  });

  test("a single value where there is one", () => {
    const live = stateOf(
      entityOf("Dataset", a, { domain: scalarOf("d") }),
      entityOf("Dataset", b, { domain: scalarOf(null) }),
    );
    const guarded = { ...nothing, changes: [scalarChange("d", null)], desired: live, live };

    expect(guardFindings(guarded, removalLimits({ max_count: 0 }))).toMatchObject([
      { facet: "domain", numbers: { removals: 1, existing: 1 } },
    ]);
  });
});

// A change, and how many removals it is.
test.each<readonly [string, Change, number]>([
  ["a value that is unset", scalarChange("x", null), 1],
  ["a value that is replaced", scalarChange("x", "y"), 0],
  ["a value that was empty", scalarChange(null, "y"), 0],
  ["nothing that becomes nothing", scalarChange(null, null), 0],
  ["a truth value that is unset", scalarChange(false, null), 1],
  [
    "a value that stays because it is somebody else's",
    scalarChange("x", null, { conflict: { base: null, live: "x", desired: null, winner: "live" } }),
    0,
  ],
  [
    "a value that goes though it is somebody else's",
    scalarChange("x", null, { conflict: { base: null, live: "x", desired: null, winner: "desired" } }),
    1,
  ],
  [
    "a value that stays until somebody resolves its conflict",
    scalarChange("x", null, { conflict: { base: null, live: "x", desired: null } }),
    0,
  ],
  ["members that go", setChange(["x", "y"]), 2],
  ["members that come", setChange([], { add: ["x"] }), 0],
  ["an entity that is deleted", deletion(), 0],
])("only what is taken away for nothing counts as a removal: %s", (_, change, removals) => {
  const findings = guardFindings({ ...nothing, changes: [change] }, removalLimits({ max_count: 0 }));

  expect(findings.map(({ numbers }) => numbers["removals"])).toEqual(removals > 0 ? [removals] : []);
});

test("a finding names the place of a change", () => {
  const changes = [setChange(["x"], { facet: "columns.tags", path: ["email"] })];

  const [finding] = guardFindings({ ...nothing, changes }, removalLimits({ max_count: 0 }));

  expect(finding?.changes).toStrictEqual([{ urn: a, facet: "columns.tags", path: ["email"] }]);
});

describe("deletions are blocked", () => {
  test.each([
    [0, 0, false],
    [1, 0, true],
    [1, 1, false],
    [2, 1, true],
  ])("%i where %i may go: %j", (number, max_count, isFound) => {
    const changes = tagsTo(number).map((id) => deletion(urn(`urn:li:tag:${id}`)));
    const findings = guardFindings({ ...nothing, changes }, { ...open, deletes: { max_count } });

    expect(findings).toHaveLength(isFound ? 1 : 0);
  });

  test("with their number, and the flag and the setting that allow it", () => {
    const create: Change = { ...deletion(urn("urn:li:tag:new")), action: "create" };
    const changes = [setChange(["x"]), create, deletion()];

    expect(guardFindings({ ...nothing, changes }, { ...open, deletes: { max_count: 0 } })).toStrictEqual([
      {
        guard: "deletes",
        severity: "error",
        numbers: { deletes: 1, max_count: 0 },
        flag: "--max-deletes 1",
        setting: "guards.deletes.max_count",
        changes: [{ urn: tag }],
      },
    ]);
  });
});

describe("what has vanished from the repository blocks", () => {
  const urnsTo = (number: number): readonly Urn[] => tagsTo(number).map((id) => urn(`urn:li:tag:${id}`));

  // How many, of how many that base declares, the limits, whether it is too much.
  test.each([
    [3, 10, { max_percent: 30, min_existing: 10 }, false],
    [4, 10, { max_percent: 30, min_existing: 10 }, true],
    [9, 9, { max_percent: 30, min_existing: 10 }, false],
    [0, 10, { max_percent: 0, min_existing: 0 }, false],
    [0, 0, { max_percent: 0, min_existing: 0 }, false],
    [1, 10, { max_percent: 0, min_existing: 0 }, true],
  ])("%i of %i under %j: %j", (number, of, vanished, isFound) => {
    const guarded = { ...nothing, vanished: { urns: urnsTo(number), of } };

    expect(guardFindings(guarded, { ...open, vanished })).toHaveLength(isFound ? 1 : 0);
  });

  test("with the numbers, the entities, and the flag and the setting that allow it", () => {
    const vanished = { urns: urnsTo(4), of: 11 };

    expect(guardFindings({ ...nothing, vanished }, defaultLimits)).toStrictEqual([
      {
        guard: "vanished",
        severity: "error",
        numbers: { vanished: 4, declared: 11, percent: 36.4, max_percent: 30, min_existing: 10 },
        flag: "--max-vanished 37%",
        setting: "guards.vanished.max_percent",
        changes: vanished.urns.map((each) => ({ urn: each })),
      },
    ]);
  });

  test("not where no base is known", () => {
    const strict: Limits = { ...open, vanished: { max_percent: 0, min_existing: 0 } };

    expect(guardFindings({ ...nothing, vanished: undefined }, strict)).toEqual([]);
  });
});

test("by default a plan may delete nothing, and take away no more than 30 % of 10 and 200 in all", () => {
  const found = (guarded: CountedState): readonly string[] =>
    guardFindings(guarded, defaultLimits).map(({ setting }) => setting);

  expect(found(losing(3, 10))).toEqual([]);
  expect(found(losing(9, 9))).toEqual([]);
  expect(found(losing(4, 10))).toEqual(["guards.removals.max_percent"]);
  expect(found(losing(200, 1000))).toEqual([]);
  expect(found(losing(201, 1000))).toEqual(["guards.removals.max_count"]);
  expect(found({ ...nothing, changes: [deletion()] })).toEqual(["guards.deletes.max_count"]);
});

test.each([
  [30, 30, 100, false],
  [31, 30, 100, true],
  [1, 33, 3, true],
  [1, 34, 3, false],
  [0, 0, 0, false],
  [1, 100, 0, true],
])("%i is more than %i per cent of %i: %j", (part, percent, whole, expected) => {
  expect(exceedsPercent(part, percent, whole)).toBe(expected);
});

describe("spread", () => {
  const oneAsset: Limits = { ...open, spread: { max_count: 1 } };
  const change = (of: Urn, rules: readonly string[]): Change => setChange([], { urn: of, add: [tag], rules });

  test("counts the assets on which a rule changes something, each rule by itself", () => {
    const changes = [change(a, ["r", "s"]), change(a, ["r"]), change(b, ["s"])];

    expect(guardFindings({ ...nothing, changes }, oneAsset)).toEqual([
      {
        guard: "spread",
        severity: "error",
        rule: "s",
        numbers: { assets: 2, max_count: 1 },
        flag: "--max-spread 2",
        setting: "guards.spread.max_count",
        changes: [
          { urn: a, facet: "tags" },
          { urn: b, facet: "tags" },
        ],
      },
    ]);
  });

  test("does not count what is held back, because it is not written", () => {
    const heldBack = setChange([], { urn: b, add: [tag], rules: ["s"], holds: [{ value: tag, urn: a }] });
    const changes = [change(a, ["s"]), heldBack];

    expect(guardFindings({ ...nothing, changes }, oneAsset)).toEqual([]);
  });

  test("does not count what no rule is behind", () => {
    const changes = [setChange([], { add: [tag] }), setChange([], { urn: b, add: [tag] })];

    expect(guardFindings({ ...nothing, changes }, oneAsset)).toEqual([]);
  });
});

describe("of what was not read, because only a part was, the declared values count", () => {
  const owner = { owner: "urn:li:corpuser:u", type: "t" };
  const columns = (entries: Readonly<Record<string, readonly string[]>>): FacetValue => {
    const sets = Object.entries(entries).map(([column, tags]) => [column, setOf(tags)] as const);
    return { shape: "map", entries: new Map(sets) };
  };
  const group = urn("urn:li:corpGroup:g");

  /** How many values there are of the facets of which one change each takes something. */
  function existing(facets: readonly string[], guarded: Partial<CountedState>): unknown {
    const changes = facets.map((facet) => setChange(["urn:li:tag:gone"], { facet }));
    return countsOf({ ...nothing, ...guarded, changes }).existing;
  }

  test("each once, of sets, of single values and of columns, beside those of what was read", () => {
    const facets = {
      tags: setOf(["x", "y"]),
      domain: scalarOf("d"),
      owners: setOf([owner]),
      "columns.tags": columns({ id: ["x"], email: ["x", "y"] }),
    };
    const read = stateOf(entityOf("Dataset", a, { tags: setOf(["z"]) }));
    const live = stateOf(entityOf("Dataset", a, { tags: setOf(["z", "old"]) }));
    const unread = (): State => stateOf(entityOf("Dataset", b, facets));

    expect(existing(["tags", "domain", "owners", "columns.tags"], { desired: read, live, unread })).toEqual({
      tags: 4,
      domain: 1,
      owners: 1,
      "columns.tags": 3,
    });
    expect(existing([], { desired: read, live, unread })).toBeUndefined();
  });

  test("none that is left alone", () => {
    const unread = (): State =>
      stateOf(
        entityOf("Dataset", b, { tags: setOf(["x", "y"]), "columns.tags": columns({ id: ["x", "y"] }) }),
      );
    const ignored = ignoring([{ value: "x", reason: "r" }]);

    expect(existing(["tags", "columns.tags"], { unread, ignored })).toEqual({ tags: 1, "columns.tags": 1 });
  });

  test("and of groups also the members that were read for the sake of users, each once", () => {
    const members = (...ids: readonly string[]): FacetValue =>
      setOf(ids.map((id) => `urn:li:corpuser:${id}`));
    const state = (...ids: readonly string[]): State =>
      stateOf(entityOf("Group", group, { members: members(...ids), tags: setOf(ids) }));
    const unread = (): State => state("a", "b");

    expect(existing(["members", "tags"], { desired: state("a"), live: state("a", "c"), unread })).toEqual({
      members: 3,
      tags: 2,
    });
    expect(existing(["members"], { live: state("a", "c"), unread })).toEqual({ members: 2 });
  });
});
