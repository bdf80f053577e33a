import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Live } from "../../../src/model/live.ts";
import { type Entity, type Scalar, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { fingerprintOf } from "../../../src/plan/diff/fingerprint.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import { recheck } from "../../../src/plan/recheck/recheck.ts";
import { nowStored } from "../../../src/plan/recheck/stored.ts";
import { type Verdict, verdictOn } from "../../../src/plan/recheck/verdict.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const domain = (id: string): Urn => urn(`urn:li:domain:${id}`);

function liveOf(entities: readonly Entity[], more: Partial<Live> = {}): Live {
  return { state: stateOf(...entities), missing: new Map(), unreadable: new Map(), unmanaged: [], ...more };
}

function verdict(
  change: Change,
  live: Live,
  created: readonly Urn[] = [],
  placed: readonly Urn[] = [],
): Verdict {
  return verdictOn(change, { live, created: new Set(created), placed: new Set(placed) });
}

function scalar(before: Scalar, after: Scalar, more: object = {}): Change {
  return {
    action: "update",
    shape: "scalar",
    kind: "Dataset",
    urn: a,
    facet: "domain",
    before,
    after,
    fingerprint: fingerprintOf(scalarOf(before), { shape: "scalar" }),
    ...more,
  };
}

const dataset = (value: Scalar): Entity => entityOf("Dataset", a, { domain: scalarOf(value) });

describe("a single value", () => {
  test.each<readonly [string, Live, Verdict]>([
    ["as it was", liveOf([dataset("x")]), { status: "as-planned" }],
    ["as it shall be", liveOf([dataset("y")]), { status: "done" }],
    [
      "as another made it",
      liveOf([dataset("z")]),
      {
        status: "stale",
        because: "its value was changed after the plan was made",
        expected: "x",
        found: "z",
      },
    ],
    [
      "unset by another",
      liveOf([dataset(null)]),
      {
        status: "stale",
        because: "its value was changed after the plan was made",
        expected: "x",
        found: null,
      },
    ],
    [
      "of an entity that is gone",
      liveOf([]),
      { status: "stale", because: `${a} is no longer in the catalog` },
    ],
    [
      "of an entity that was soft-deleted",
      liveOf([], { missing: new Map([[a, "soft-deleted"]]) }),
      { status: "stale", because: `${a} was soft-deleted after the plan was made` },
    ],
    [
      "of an entity that cannot be read",
      liveOf([], { unreadable: new Map([[a, "denied"]]) }),
      { status: "unread", error: "denied" },
    ],
  ])("is judged: %s", (_, live, expected) => {
    expect(verdict(scalar("x", "y"), live)).toEqual(expected);
  });
});

describe("a new entity", () => {
  const creation: Change = {
    action: "create",
    shape: "entity",
    kind: "Domain",
    urn: domain("a"),
    fingerprint: "",
  };
  const there = liveOf([entityOf("Domain", domain("a"), {})]);

  test("is created where it is not there", () => {
    expect(verdict(creation, liveOf([]))).toEqual({ status: "as-planned" });
  });

  test("is stale where somebody else created it, and not where we did", () => {
    expect(verdict(creation, there)).toEqual({
      status: "stale",
      because: "urn:li:domain:a was created after the plan was made",
    });
    expect(verdict(creation, there, [domain("a")])).toEqual({ status: "as-planned" });
  });

  test("needs its parent to be there, unless the plan creates that", () => {
    const child = scalar(null, domain("p"), {
      action: "create",
      kind: "Domain",
      urn: domain("a"),
      facet: "parent_domain",
    });

    expect(verdict(child, liveOf([]))).toMatchObject({
      because: "urn:li:domain:p is no longer in the catalog",
    });
    expect(verdict(child, liveOf([]), [], [domain("p")])).toEqual({ status: "as-planned" });
    expect(verdict(child, liveOf([entityOf("Domain", domain("p"), {})]))).toEqual({ status: "as-planned" });
  });
});

describe("of a group that was just created again, and of which the index does not show the members yet", () => {
  const group = urn("urn:li:corpGroup:g");
  const members = setOf(["urn:li:corpuser:stays", "urn:li:corpuser:leaves"]);
  const covers = { elements: ["urn:li:corpuser:stays"], except: [] };
  const edges = { add: [], remove: ["urn:li:corpuser:leaves"], covers };
  const about = { action: "create", kind: "Group", urn: group } as const;
  const leaving: Change = {
    ...about,
    shape: "set",
    facet: "members",
    ...edges,
    fingerprint: fingerprintOf(members, { shape: "set", ...edges }),
  };
  const named: Change = {
    ...about,
    shape: "scalar",
    facet: "display_name",
    before: null,
    after: "Ours",
    fingerprint: fingerprintOf(scalarOf(null), { shape: "scalar" }),
  };
  const info = operationsOf({ changes: [leaving, named] }).find(
    ({ request }) => request.type === "proposal" && request.aspect === "corpGroupInfo",
  );
  const rechecked = (value: object): unknown => {
    if (info?.request.type !== "proposal") throw new Error("no such operation");
    const { left, settled } = recheck(info, nowStored(info, info.request, value, new Set([group])));
    return {
      left: left?.changes,
      settled: settled.map(({ status, operation }) => [status, operation.changes]),
    };
  };

  test("the aspect of its fields says nothing about who is in it", () => {
    expect(rechecked({ members: [] })).toEqual({ left: [leaving, named], settled: [] });
  });

  test("a field that somebody has set since is not overwritten", () => {
    expect(rechecked({ members: [], displayName: "Theirs" })).toEqual({
      left: [leaving],
      settled: [["stale", [named]]],
    });
  });
});

describe("a deletion", () => {
  const deletion: Change = {
    action: "delete",
    shape: "entity",
    kind: "Domain",
    urn: domain("a"),
    above: [domain("b")],
    fingerprint: "",
  };

  test("is done where the entity is gone, and looks at nothing else", () => {
    expect(verdict(deletion, liveOf([entityOf("Domain", domain("a"), {})]))).toEqual({
      status: "as-planned",
    });
    expect(verdict(deletion, liveOf([]))).toEqual({ status: "done" });
  });
});

describe("a domain that moves below another", () => {
  const at = (id: string, parent: string | null): Entity =>
    entityOf("Domain", domain(id), { parent_domain: scalarOf(parent === null ? null : domain(parent)) });
  const move = scalar(null, domain("c"), {
    kind: "Domain",
    urn: domain("a"),
    facet: "parent_domain",
    above: [domain("b"), domain("t")],
  });
  const moved = (id: string): Verdict => ({
    status: "stale",
    because: `${domain(id)} was moved after the plan was made`,
  });

  test.each<readonly [string, readonly Entity[], readonly Urn[], Verdict]>([
    ["as they were", [at("c", "b"), at("b", "t"), at("t", null)], [], { status: "as-planned" }],
    ["whose parent is another now", [at("c", "x"), at("b", "t"), at("t", null)], [], moved("c")],
    ["whose top is below another now", [at("c", "b"), at("b", "t"), at("t", "a")], [], moved("t")],
    [
      "one of which is gone",
      [at("c", "b"), at("t", null)],
      [],
      {
        status: "stale",
        because: "urn:li:domain:b is no longer in the catalog",
      },
    ],
    [
      "one of which the plan moves itself",
      [at("c", "b"), at("b", "x"), at("t", null)],
      [domain("b")],
      { status: "as-planned" },
    ],
    [
      "that stand in a circle of their own, as they did",
      [at("c", "b"), at("b", "t"), at("t", "b")],
      [],
      { status: "as-planned" },
    ],
  ])("is judged by those above: %s", (_, others, placed, expected) => {
    expect(verdict(move, liveOf([at("a", null), ...others]), [], placed)).toEqual(expected);
  });

  test("is held back where one above cannot be read", () => {
    const live = liveOf([at("a", null), at("c", "b")], { unreadable: new Map([[domain("b"), "denied"]]) });

    expect(verdict(move, live)).toEqual({ status: "unread", error: "denied" });
  });
});

test("a set of a column that the schema does not have any more is stale", () => {
  const change = {
    action: "update",
    shape: "set",
    kind: "Dataset",
    urn: a,
    facet: "columns.tags",
    column: "email",
    add: ["t"],
    remove: [],
    fingerprint: fingerprintOf(setOf([]), { shape: "set", add: ["t"], remove: [] }),
  } as const satisfies Change;
  const withColumn = (column: string): Live =>
    liveOf([
      entityOf("Dataset", a, { "columns.tags": { shape: "map", entries: new Map([[column, setOf([])]]) } }),
    ]);

  expect(verdict(change, withColumn("email"))).toEqual({ status: "as-planned" });
  expect(verdict(change, withColumn("mail"))).toEqual({
    status: "stale",
    because: "its column is no longer in the schema",
  });
});
