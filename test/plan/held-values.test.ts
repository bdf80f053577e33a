import { describe, expect, test } from "vitest";
import type { Change, FacetChange, ScalarChange, SetChange } from "../../src/model/change.ts";
import type { Operation } from "../../src/model/operation.ts";
import type { Report } from "../../src/model/report.ts";
import {
  fightFindings,
  isOfFight,
  fightsIn,
  pastWritesIn,
  withMoreFights,
  writesIn,
} from "../../src/plan/notes/fights.ts";
import { planOf } from "../report/plans.ts";
import { fought } from "../support/noted.ts";
import { datasetNamed, header, urn as urnOf } from "../support/states.ts";
import type { FightRules, PastWrite } from "../../src/plan/base/policy.ts";

const [table, other] = [datasetNamed("a"), datasetNamed("b")];
const source = { file: "catalog/a.yaml", line: 1, column: 1 };

/** Sets a domain that the last applied commit declares, too. */
function domain(more: Partial<ScalarChange> = {}): ScalarChange {
  return {
    action: "update",
    shape: "scalar",
    kind: "Dataset",
    urn: table,
    facet: "domain",
    before: "theirs",
    after: "ours",
    reverts: ["ours"],
    fingerprint: "",
    source,
    ...more,
  };
}

function tags(more: Partial<SetChange> = {}): SetChange {
  return {
    action: "update",
    shape: "set",
    kind: "Dataset",
    urn: table,
    facet: "tags",
    add: ["a", "b"],
    remove: ["c"],
    reverts: ["a", "b", "c"],
    fingerprint: "",
    source,
    ...more,
  };
}

/** What applies wrote of a change, one at each time. */
function written(change: Change, base: string | null, ...times: readonly number[]): readonly PastWrite[] {
  const request = { type: "mutation", field: "x", args: [] } as const;
  const operation: Operation = { id: "1", request, locks: [], after: [], changes: [change] };
  const plan = planOf({ git: { ...header.git, base } });
  const report: Report = { plan, outcomes: [{ status: "applied", operation }] };
  return times.flatMap((at) => writesIn(report, at));
}

/** The values of a change that are held back, after so many writes. */
function heldAt(
  now: number,
  writes: readonly PastWrite[],
  change: FacetChange = domain(),
): FacetChange["fights"] {
  const rules: FightRules = { writes, times: 3, within: 100, now, base: "c1" };
  const [after] = fought([change], rules);
  return after?.fights;
}

const time = (milliseconds: number): string => new Date(milliseconds).toISOString();
const fight = (value: string, times: number, last: number): object => {
  return { value, times, last: time(last), until: time(last + 100) };
};

describe("a value is held back", () => {
  test("after three reversals, until nobody has written it for the time", () => {
    const writes = written(domain(), "c1", 10, 20, 30);
    expect(heldAt(40, writes)).toEqual([fight("ours", 3, 30)]);
    expect(heldAt(129, writes)).toEqual([fight("ours", 3, 30)]);
    expect(heldAt(130, writes)).toBeUndefined();
    expect(heldAt(40, writes.slice(1))).toBeUndefined();
  });

  test("where three reversals were within the time, and all that were count", () => {
    expect(heldAt(110, written(domain(), "c1", 0, 50, 100))).toEqual([fight("ours", 3, 100)]);
    expect(heldAt(110, written(domain(), "c1", 0, 50, 101))).toBeUndefined();
    expect(heldAt(110, written(domain(), "c1", 0, 1, 50, 60, 101))).toEqual([fight("ours", 4, 101)]);
  });

  test("of a set by itself, and on its side", () => {
    const writes = written(tags(), "c1", 10, 20, 30);
    expect(heldAt(40, writes, tags())).toEqual(["a", "b", "c"].map((value) => fight(value, 3, 30)));
    expect(heldAt(40, writes, tags({ add: ["a", "x"], remove: [] }))).toEqual([fight("a", 3, 30)]);
    expect(heldAt(40, writes, tags({ add: ["c"], remove: ["a"] }))).toBeUndefined();
    expect(heldAt(40, writes, tags({ facet: "glossary_terms" }))).toBeUndefined();
    expect(heldAt(40, writes, tags({ urn: other }))).toBeUndefined();
    expect(heldAt(40, writes, tags({ path: ["column"] }))).toBeUndefined();
  });
});

describe("which writes are reversals", () => {
  const first = domain({ reverts: [] });
  const elsewhere = domain({ after: "other" });

  test("the first write of what a commit declares anew is none", () => {
    const after = (count: number): readonly PastWrite[] =>
      written(domain(), "c1", ...[20, 30, 40].slice(0, count));
    expect(heldAt(50, [...written(first, "c0", 10), ...after(2)])).toBeUndefined();
    expect(heldAt(50, [...written(first, "c0", 10), ...after(3)])).toEqual([fight("ours", 3, 40)]);
  });

  test("writes after the same commit are, though it was not applied in full", () => {
    expect(heldAt(50, written(first, "c1", 10, 20, 30, 40))).toEqual([fight("ours", 3, 40)]);
    const ofOthers = ["c1", "c2", "c3", "c4"].flatMap((base, index) => written(first, base, index));
    expect(heldAt(50, ofOthers)).toBeUndefined();
  });

  test("writes before another value was declared are none", () => {
    const others = written(elsewhere, "c0", 10, 11, 12);
    expect(heldAt(50, [...written(domain(), "c1", 1, 2, 3), ...others])).toBeUndefined();
    // A commit that declares it was applied since, with nothing to write.
    expect(heldAt(50, [...others, ...written(domain(), "c1", 20, 30, 40)])).toEqual([fight("ours", 3, 40)]);
    expect(heldAt(50, [...others, ...written(domain(), "c0", 20, 30, 40)])).toBeUndefined();
  });
});

test.each<readonly [string, FacetChange, boolean]>([
  ["an update of a manifest", domain({ source: { ...source, file: "a/b.YML" } }), true],
  ["an update without a place", (({ source: _, ...change }) => change)(domain()), true],
  ["a creation", domain({ action: "create" }), false],
  ["a reference to what is deleted", domain({ isReference: true }), false],
  ["a rollback", domain({ source: { ...source, file: "runs/1.yaml.json" } }), false],
])("of %s writes count and are held back, or neither", (_, change, counts) => {
  const writes = written(domain(), "c1", 10, 20, 30);
  expect(heldAt(40, writes, change) !== undefined).toBe(counts);
  expect(heldAt(40, written(change, "c1", 10, 20, 30)) !== undefined).toBe(counts);
});

test("changes stay as they are in conflicts, of entities, and where nothing was written", () => {
  const writes = written(domain(), "c1", 10, 20, 30);
  const conflict = domain({ conflict: { base: "b", live: "l", desired: "ours" } });
  const deletion: Change = {
    action: "delete",
    shape: "entity",
    kind: "Dataset",
    urn: table,
    fingerprint: "",
  };
  const changes = [conflict, deletion, domain()];
  const rules: FightRules = { writes, times: 3, within: 100, now: 40, base: "c1" };
  const past = pastWritesIn(rules);
  expect(changes.map((change) => fightsIn(change, rules, past).length)).toEqual([0, 0, 1]);
  expect(changes.map((change) => fightsIn(change, rules, new Map()).length)).toEqual([0, 0, 0]);
  expect(written(deletion, "c1", 10)).toEqual([]);
});

test("what a plan held back stays so, and what is to be held back by now is added", () => {
  const before = [{ value: "a", times: 9, last: "l", until: "u" }];
  const writes = written(tags({ remove: [] }), "c1", 10, 20, 30);
  const rules: FightRules = { writes, times: 3, within: 100, now: 40, base: "c1" };
  const more = (...changes: readonly Change[]): unknown =>
    withMoreFights({ changes }, rules).map(({ urn, ...change }) => [
      urn,
      "fights" in change && change.fights,
    ]);
  const now = ["a", "b"].map((value) => fight(value, 3, 30));
  expect(more({ ...tags(), fights: before }, tags({ add: ["b"] }), tags({ urn: other }))).toEqual([
    [table, [...before, now[1]]],
    [table, [now[1]]],
    [other, false],
  ]);
  expect(more(tags({ urn: other, fights: before }))).toEqual([[other, before]]);
});

describe("a saved plan, when an apply looks for fights again", () => {
  const rulesWith = (writes: readonly PastWrite[]): FightRules => {
    return { writes, times: 3, within: 100, now: 40, base: "c1" };
  };

  test("holds a move back at both ends", () => {
    const assets = (id: string, add: readonly string[], remove: readonly string[]): SetChange => {
      const about = { urn: urnOf(`urn:li:dataProduct:${id}`), kind: "DataProduct", facet: "assets" };
      return tags({ ...about, add, remove, reverts: [...add, ...remove] });
    };
    const [joins, leaves] = [assets("core", [table, other], []), assets("mart", [], [table])];
    const writes = written(assets("core", [table], []), "c1", 10, 20, 30);
    expect(withMoreFights({ changes: [joins, leaves] }, rulesWith(writes))).toEqual([
      { ...joins, fights: [fight(table, 3, 30)] },
      { ...leaves, holds: [{ value: table, urn: joins.urn }] },
    ]);
  });

  test("does not say that mode merge would end a new fight, because a plan does not contain the modes", () => {
    const writes = written(tags(), "c1", 10, 20, 30);
    const saved = tags({ fights: [{ value: "c", times: 3, last: "l", until: "u", keptByMerge: true }] });
    const [change] = withMoreFights({ changes: [saved] }, rulesWith(writes));
    expect(change).toEqual({
      ...saved,
      fights: [...(saved.fights ?? []), fight("a", 3, 30), fight("b", 3, 30)],
    });
  });

  test("keeps the order of the saved plan, and puts new fights behind", () => {
    const saved = tags({ remove: [], fights: [{ value: "b", times: 9, last: "l", until: "u" }] });
    const writes = written(tags(), "c1", 10, 20, 30);
    const [change] = withMoreFights({ changes: [saved] }, rulesWith(writes));
    expect(change).toHaveProperty("fights", [...(saved.fights ?? []), fight("a", 3, 30)]);
  });

  test("leaves a change alone if nothing new is held back", () => {
    const changes = [tags(), domain()];
    const same = withMoreFights({ changes }, rulesWith([]));
    expect(same.every((change, index) => change === changes[index])).toBe(true);
  });
});

test("a finding says for each opponent how many values are held back, and the least number of writes", () => {
  const at = { last: "l", until: "u" };
  const bob = { actor: "urn:li:corpuser:bob" };
  const ingestion = { agent: "urn:li:a", ingestionRun: "run", pipeline: "p" };
  const changes: readonly Change[] = [
    tags({
      fights: [
        { ...at, ...bob, value: "a", times: 5, time: "t" },
        { ...at, ...bob, value: "b", times: 3 },
        { ...at, value: "c", times: 7 },
      ],
    }),
    domain({ urn: other, fights: [{ ...at, ...bob, value: "ours", times: 4 }] }),
    domain({ facet: "description", fights: [{ ...at, ...ingestion, value: "x", times: 8 }] }),
    domain(),
  ];
  const findings = fightFindings(changes);
  const finding = { guard: "fight", severity: "warning", flag: "", setting: "fights" };
  const at1 = { urn: table, facet: "tags" };
  expect(findings).toEqual([
    {
      ...finding,
      numbers: { values: 3, times: 3 },
      opponent: bob,
      changes: [at1, { urn: other, facet: "domain" }],
    },
    { ...finding, numbers: { values: 1, times: 7 }, changes: [at1] },
    {
      ...finding,
      numbers: { values: 1, times: 8 },
      opponent: ingestion,
      changes: [{ urn: table, facet: "description" }],
    },
  ]);
  expect([findings.every(isOfFight), isOfFight({ guard: "deletes" })]).toEqual([true, false]);
});
