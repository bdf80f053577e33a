import { describe, expect, test } from "vitest";
import type { Change, Coverage, EntityChange } from "../../../src/model/change.ts";
import type { Deletable, Live } from "../../../src/model/live.ts";
import { type Entity, type Scalar, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { deletionFields } from "../../../src/plan/align/deletion.ts";
import { fingerprintOf } from "../../../src/plan/notes/fingerprint.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import { recheck } from "../../../src/plan/recheck/recheck.ts";
import { nowStored } from "../../../src/plan/recheck/stored.ts";
import {
  createdBefore,
  type CatalogNow,
  type Verdict,
  verdictOn,
  dependenciesOf,
} from "../../../src/plan/recheck/verdict.ts";
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
  return verdictOn(change, { live, created: new Set(created), moved: new Set(placed) });
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

test("of a soft-deleted asset only references to what is deleted are written", () => {
  const away = liveOf([], {
    missing: new Map([[a, "soft-deleted"]]),
    softDeleted: stateOf(dataset("x")),
  });
  expect(verdict(scalar("x", null, { isReference: true }), away)).toEqual({ status: "as-planned" });
  expect(verdict(scalar("x", null), away)).toEqual({
    status: "stale",
    because: `${a} was soft-deleted after the plan was made`,
  });
});

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
      { status: "unread", urn: a, error: "denied" },
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
    expect(rechecked({ members: [] })).toEqual({ left: [named], settled: [] });
  });

  test("a field that somebody has set since is not overwritten", () => {
    expect(rechecked({ members: [], displayName: "Theirs" })).toEqual({
      left: undefined,
      settled: [["stale", [named]]],
    });
  });
});

describe("a deletion", () => {
  const [here, asset] = [domain("a"), datasetNamed("b")];
  const seen: Deletable = {
    aspects: { domainProperties: { name: "a" }, ownership: { owners: [{ owner: "urn:li:corpuser:u" }] } },
    referring: [
      { type: "AssociatedWith", urn: asset },
      { type: "AssociatedWith", urn: undefined },
      { type: "IsPartOf", urn: domain("below") },
    ],
    assignments: 2,
  };
  const deletion: EntityChange = {
    action: "delete",
    shape: "entity",
    kind: "Domain",
    urn: here,
    above: [domain("b")],
    fingerprint: "",
    ...deletionFields(seen, "Tag"),
  };
  const uncounted: Deletable = { ...seen, assignments: undefined, referring: seen.referring.slice(2) };
  const judged = (found: Partial<Deletable>, change: Change = deletion): Verdict => {
    const deletable = new Map([[here, { ...seen, ...found }]]);
    return verdict(change, liveOf([entityOf("Domain", here, {})], { deletable }));
  };
  const changed = "it was changed after the plan was made";

  test("is done where the entity is gone", () => {
    expect(verdict(deletion, liveOf([]))).toEqual({ status: "done" });
  });

  test.each<readonly [string, Partial<Deletable>]>([
    ["is as it was", {}],
    ["is referred to by fewer", { referring: [], assignments: 0 }],
    ["refers to fewer itself", { aspects: { domainProperties: { name: "a" } } }],
    [
      "was written again with the same",
      {
        aspects: {
          ...seen.aspects,
          domainProperties: {
            name: "a",
            created: { time: 1, actor: "urn:li:corpuser:v" },
            description: null,
          },
        },
      },
    ],
  ])("is carried out where the entity %s", (_, found) => {
    expect(judged(found)).toEqual({ status: "as-planned" });
  });

  test.each<readonly [string, Partial<Deletable>, string]>([
    ["has another value", { aspects: { ...seen.aspects, domainProperties: { name: "b" } } }, changed],
    [
      "has another aspect",
      { aspects: { ...seen.aspects, institutionalMemory: { elements: [{ url: "x" }] } } },
      changed,
    ],
    ["lost a value", { aspects: { ownership: seen.aspects["ownership"] } }, changed],
    [
      "has another owner",
      { aspects: { ...seen.aspects, ownership: { owners: [{ owner: "urn:li:corpuser:v" }] } } },
      changed,
    ],
    [
      "is referred to by another",
      { referring: [...seen.referring, { type: "AssociatedWith", urn: a }] },
      `${a} began to refer to it after the plan was made`,
    ],
    [
      "is referred to by the same in another way",
      { referring: [...seen.referring, { type: "OwnedBy", urn: asset }] },
      `${asset} began to refer to it after the plan was made`,
    ],
    [
      "is referred to by several others",
      {
        referring: [
          { type: "IsPartOf", urn: domain("x") },
          { type: "IsPartOf", urn: domain("y") },
        ],
      },
      `${domain("x")} and 1 more began to refer to it after the plan was made`,
    ],
    [
      "is referred to by another that the server does not name",
      { referring: [...seen.referring, { type: "AssociatedWith", urn: undefined }] },
      "an unidentified entity began to refer to it after the plan was made",
    ],
    [
      "has more references than the index counts",
      uncounted,
      "many more entities began to refer to it after the plan was made",
    ],
  ])("is stale where the entity %s", (_, found, because) => {
    expect(judged(found)).toEqual({ status: "stale", because });
  });

  test("of what had more references than the index counts is judged by what is below", () => {
    const { assignments: _, ...rest } = deletion;
    const change: Change = { ...rest, ...deletionFields(uncounted, "Tag") };

    expect(judged(uncounted, change)).toEqual({ status: "as-planned" });
    expect(judged(seen, change)).toEqual({ status: "as-planned" });
    expect(judged({ referring: [{ type: "IsPartOf", urn: domain("new") }] }, change)).toMatchObject({
      status: "stale",
    });
  });

  test("that does not say what the entity was is stale", () => {
    const { references: _, ...older } = deletion;

    expect(judged({}, older)).toEqual({
      status: "stale",
      because: "the plan does not record the state of the entity; make a new plan",
    });
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
    [
      "the last of which says of no parent",
      [at("c", "b"), at("b", "t"), entityOf("Domain", domain("t"), {})],
      [],
      { status: "as-planned" },
    ],
    ["one of which is nearer now", [at("c", "t"), at("b", "t"), at("t", null)], [], moved("c")],
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

    expect(verdict(move, live)).toEqual({ status: "unread", urn: domain("b"), error: "denied" });
  });
});

test("a set of a column that the schema does not have any more is stale", () => {
  const change = {
    action: "update",
    shape: "set",
    kind: "Dataset",
    urn: a,
    facet: "columns.tags",
    path: ["email"],
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

describe("a set", () => {
  const change = (covers?: Coverage): Change => {
    const delta = { add: ["new", "newer"], remove: ["old"], ...(covers && { covers }) };
    return {
      action: "update",
      kind: "Dataset",
      urn: a,
      shape: "set",
      facet: "tags",
      ...delta,
      fingerprint: fingerprintOf(setOf(["mine", "old", "theirs"]), { shape: "set", ...delta }),
    };
  };
  const having = (...tags: readonly string[]): Live =>
    liveOf([entityOf("Dataset", a, { tags: setOf(tags) })]);
  const isStale = { status: "stale", because: "its values were changed after the plan was made" } as const;

  test.each<readonly [string, Live, Verdict]>([
    ["as it was", having("mine", "old", "theirs"), { status: "as-planned" }],
    ["as it shall be", having("mine", "new", "newer", "theirs"), { status: "done" }],
    ["where some was added", having("mine", "new", "old", "theirs"), { status: "as-planned" }],
    ["where all was added", having("mine", "new", "newer", "old", "theirs"), { status: "as-planned" }],
    ["where all was removed", having("mine", "theirs"), { status: "as-planned" }],
    ["to which another added something", having("mine", "old", "other", "theirs"), isStale],
    ["from which another took something", having("mine", "old"), isStale],
    ["as it shall be, but for what another took", having("mine", "new", "newer"), isStale],
    [
      "that was not read as one",
      liveOf([dataset("x")]),
      { status: "stale", because: "its column is no longer in the schema" },
    ],
  ])("is judged: %s", (_, live, expected) => {
    expect(verdict(change(), live)).toEqual(expected);
  });

  test("may change where the plan leaves others alone", () => {
    const covers = { elements: ["mine"], except: ["*"] };

    expect(verdict(change(covers), having("mine", "old", "other"))).toEqual({ status: "as-planned" });
    expect(verdict(change(covers), having("mine", "new", "newer", "other"))).toEqual({ status: "done" });
    expect(verdict(change(covers), having("old", "theirs"))).toEqual(isStale);
  });
});

describe("what a change refers to", () => {
  const [tag, alice, bob] = [urn("urn:li:tag:new"), urn("urn:li:corpuser:alice"), urn("urn:li:corpuser:bob")];
  const group = urn("urn:li:corpGroup:fin");
  const type = "urn:li:ownershipType:architect";
  const about = { action: "update", kind: "Dataset", urn: a, shape: "set", fingerprint: "" } as const;
  const tagged: Change = { ...about, facet: "tags", add: [tag, "no URN"], remove: ["urn:li:tag:old"] };
  const owned: Change = {
    ...about,
    facet: "owners",
    add: [alice, group].map((owner) => ({ owner, type })),
    remove: [{ owner: bob, type }],
  };
  const placed = scalar(null, domain("d"));
  const managed = scalar(null, bob, { kind: "User", urn: alice, facet: "manager_urn" });
  const joined: Change = { ...about, kind: "Group", urn: group, facet: "members", add: [alice], remove: [] };
  const child = { kind: "Domain", urn: domain("a"), facet: "parent_domain" };
  const way = ["c", "b", "t"].map(domain);
  const [c, ...above] = way as [Urn, ...Urn[]];
  const moved = scalar(null, c, { ...child, above });
  const deletion: Change = {
    action: "delete",
    shape: "entity",
    kind: "Domain",
    urn: domain("a"),
    fingerprint: "",
    above,
  };

  test.each<readonly [string, Change, readonly Urn[], readonly Urn[]]>([
    ["tags: what is added, and of texts only URNs", tagged, [], [tag]],
    ["owners: nothing of the types of ownership", owned, [], [alice, group]],
    ["the domain of an asset", placed, [], [domain("d")]],
    ["an asset that loses its domain", scalar(domain("d"), null), [], []],
    ["a manager", managed, [bob], [bob]],
    ["a title that reads as the URN of a user", { ...managed, facet: "title" } as Change, [], []],
    ["a manager of a wrong type", { ...managed, after: group } as Change, [], []],
    ["members, which are written with mutations", joined, [], []],
    ["the domains above one that moves", moved, way, way],
    ["nothing where a domain moves to the top", scalar(domain("b"), null, child), [], []],
    ["of a new domain, which nothing is below, its parent", { ...moved, action: "create" }, [c], [c]],
    ["nothing of a deletion", deletion, [], []],
  ])("is looked at where the server does not: %s", (_, change, ofMutations, ofProposals) => {
    expect(dependenciesOf(change, undefined)).toEqual(ofMutations);
    expect(dependenciesOf(change, "graphql")).toEqual(ofMutations);
    expect(dependenciesOf(change, "conditional")).toEqual(ofProposals);
  });

  test("must be there, but for what the plan creates", () => {
    const now = (more: Partial<CatalogNow>, live: Partial<Live> = {}): CatalogNow => ({
      live: liveOf([dataset(null)], live),
      created: new Set(),
      moved: new Set(),
      writes: "conditional",
      ...more,
    });
    const isGone = { status: "stale", because: `${domain("d")} was soft-deleted after the plan was made` };

    expect(verdictOn(placed, now({}))).toEqual({
      status: "stale",
      because: `${domain("d")} is no longer in the catalog`,
    });
    expect(verdictOn(placed, now({}, { missing: new Map([[domain("d"), "soft-deleted"]]) }))).toEqual(isGone);
    expect(verdictOn(placed, now({ moved: new Set([domain("d")]) }))).toEqual({ status: "as-planned" });
    expect(verdictOn(placed, now({ writes: "graphql" }))).toEqual({ status: "as-planned" });
  });
});

test("an entity was created before where it is as all the changes that create it would leave it", () => {
  const creation = (id: string): Change => ({
    action: "create",
    shape: "entity",
    kind: "Domain",
    urn: domain(id),
    fingerprint: "",
  });
  const field = (id: string, facet: string, after: string, action = "create"): Change =>
    scalar(null, after, { action, kind: "Domain", urn: domain(id), facet });
  const named = (id: string): Entity =>
    entityOf("Domain", domain(id), { name: scalarOf("N"), description: scalarOf("x") });
  const changes = [
    creation("bare"),
    creation("gone"),
    field("same", "name", "N"),
    field("same", "description", "x"),
    field("partly", "name", "N"),
    field("partly", "description", "y"),
    field("missing", "name", "N"),
    field("updated", "name", "N", "update"),
  ];
  const live = liveOf(["bare", "same", "partly", "updated"].map(named));

  expect(createdBefore(changes, live)).toEqual(new Set([domain("bare"), domain("same")]));
});
