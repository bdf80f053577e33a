import { describe, expect, test } from "vitest";
import type { Change, ScalarChange, SetChange } from "../../../src/model/change.ts";
import type { Mode } from "../../../src/model/settings.ts";
import { type Entity, type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { ignoring, nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { conflictsWithManifests } from "../../../src/plan/rollback/manifest-conflicts.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const origin = { file: "catalog/a.yaml", line: 3, column: 1 };
const a = datasetNamed("a");
const pii = urn("urn:li:tag:pii");
const gold = urn("urn:li:tag:gold");

interface Given {
  readonly declared: FacetValue;
  readonly mode?: Mode;
  /** What base declares. */
  readonly base?: FacetValue;
  readonly ignored?: string;
}

const change = { action: "update", kind: "Dataset", urn: a, fingerprint: "" } as const;

function overruledOf(
  rolledBack: ScalarChange | SetChange,
  { declared, mode = "merge", base, ignored }: Given,
): ReturnType<typeof conflictsWithManifests> {
  const { facet } = rolledBack;
  return conflictsWithManifests([rolledBack], stateOf(entityOf("Dataset", a, { [facet]: declared })), {
    modes: { [facet]: mode },
    ignored: ignored === undefined ? nothingIgnored : ignoring([{ value: ignored, reason: "r" }]),
    ...(base && { base: stateOf(entityOf("Dataset", a, { [facet]: base })) }),
  });
}

const describing = (after: string | null): ScalarChange => ({
  ...change,
  shape: "scalar",
  facet: "description",
  before: "left by the run",
  after,
});

const text = (value: string | null): FacetValue => scalarOf(value, origin);

describe("a single value that a rollback puts back", () => {
  test.each<readonly [string, string | null, Given, boolean]>([
    [
      "is taken back by manifests that declare another one",
      "old",
      { declared: text("new"), mode: "authoritative" },
      true,
    ],
    [
      "stays where manifests declare the same",
      "old",
      { declared: text("old"), mode: "authoritative" },
      false,
    ],
    [
      "is taken back where it is none and they declare one",
      null,
      { declared: text("new"), mode: "additive" },
      true,
    ],
    [
      "stays where it is none and they declare none",
      null,
      { declared: text(null), mode: "authoritative" },
      false,
    ],
    ["stays where others are merged and base does not declare it", "old", { declared: text("new") }, false],
    [
      "is taken back where others are merged and base declares it",
      "old",
      { declared: text("new"), base: text("old") },
      true,
    ],
    ["stays where base declares another one", "old", { declared: text("new"), base: text("older") }, false],
    [
      "stays where nothing is removed, though base declares it",
      "old",
      { declared: text("new"), mode: "additive", base: text("old") },
      false,
    ],
    [
      "stays where it is ignored",
      "old",
      { declared: text("new"), mode: "authoritative", ignored: "old" },
      false,
    ],
    [
      "stays where the declared one is ignored",
      "old",
      { declared: text("new"), mode: "authoritative", ignored: "new" },
      false,
    ],
    [
      "stays where manifests declare a set",
      "old",
      { declared: setOf(["new"], origin), mode: "authoritative" },
      false,
    ],
  ])("%s", (_, after, given, is) => {
    const args = { urn: a, kind: "Dataset", facet: "description", column: undefined };

    expect(overruledOf(describing(after), given)).toEqual(
      is ? [{ code: "rollback-overruled", severity: "warning", args, origin }] : [],
    );
  });
});

const tagging = (add: readonly string[], remove: readonly string[]): SetChange => ({
  ...change,
  shape: "set",
  facet: "tags",
  add,
  remove,
});

const tags = (...members: readonly string[]): FacetValue => setOf(members, origin);

describe("elements that a rollback adds and removes", () => {
  const added = tagging([pii], []);
  const removed = tagging([], [pii]);
  test.each<readonly [string, SetChange, Given, boolean]>([
    ["are taken back where manifests declare what it removes", removed, { declared: tags(pii) }, true],
    [
      "are taken back where they declare one of those",
      tagging([], [gold, pii]),
      { declared: tags(pii) },
      true,
    ],
    ["stay where they do not declare what it removes", removed, { declared: tags(gold) }, false],
    ["stay where what it removes is ignored", removed, { declared: tags(pii), ignored: pii }, false],
    [
      "stay where manifests declare what it adds",
      added,
      { declared: tags(pii), mode: "authoritative" },
      false,
    ],
    ["are taken back where others are removed", added, { declared: tags(gold), mode: "authoritative" }, true],
    [
      "are taken back where one of them is not declared",
      tagging([pii, gold], []),
      { declared: tags(gold), mode: "authoritative" },
      true,
    ],
    [
      "stay where what it adds is ignored",
      added,
      { declared: tags(), mode: "authoritative", ignored: pii },
      false,
    ],
    ["stay where others are merged and base declares none", added, { declared: tags() }, false],
    [
      "are taken back where others are merged and base declares them",
      added,
      { declared: tags(), base: tags(pii) },
      true,
    ],
    ["stay where base declares others", added, { declared: tags(), base: tags(gold) }, false],
    [
      "stay where nothing is removed, though base declares them",
      added,
      { declared: tags(), mode: "additive", base: tags(pii) },
      false,
    ],
  ])("%s", (_, rolledBack, given, is) => {
    const args = { urn: a, kind: "Dataset", facet: "tags", column: undefined };

    expect(overruledOf(rolledBack, given)).toEqual(
      is ? [{ code: "rollback-overruled", severity: "warning", args, origin }] : [],
    );
  });

  test("are those of a column that manifests call by its plain name", () => {
    const path = ["[version=2.0].[type=string].id"];
    const entries = new Map([["id", tags(pii)]]);
    const rolledBack: SetChange = { ...removed, facet: "columns.tags", path };

    const overruled = overruledOf(rolledBack, { declared: { shape: "map", entries } });

    expect(overruled.map(({ args }) => args)).toEqual([
      { urn: a, kind: "Dataset", facet: "columns.tags", column: path[0] },
    ]);
  });
});

test("the warning names what declares the value that comes back: the manifest, the rule, or both", () => {
  const rule = { file: "catalog/rules.yaml", line: 6, column: 3 };
  const declaredBy = (own: readonly Urn[], ofRule: readonly Urn[]): FacetValue => ({
    ...setOf([...own, ...ofRule], origin),
    by: [
      { origin, values: own },
      { rule: "warehouse", origin: rule, values: ofRule },
    ],
  });
  const removed = tagging([], [pii]);
  const found = (declared: FacetValue): unknown =>
    overruledOf(removed, { declared }).map(({ args, origin: place }) => [args.rule, place]);

  expect(found(declaredBy([pii], [gold]))).toEqual([[undefined, origin]]);
  expect(found(declaredBy([gold], [pii]))).toEqual([["warehouse", rule]]);
  expect(found(declaredBy([pii], [pii]))).toEqual([
    [undefined, origin],
    ["warehouse", rule],
  ]);
});

describe("what nothing takes back", () => {
  const declaring = (entity: Entity, rolledBack: Change, ignored = nothingIgnored): unknown =>
    conflictsWithManifests([rolledBack], stateOf(entity), { modes: {}, ignored });
  const tagged = entityOf("Dataset", a, { tags: tags(pii) });
  const removed = tagging([], [pii]);

  test("is what no manifest declares: neither the entity nor the value", () => {
    expect([
      declaring(entityOf("Dataset", datasetNamed("b"), { tags: tags(pii) }), removed),
      declaring(entityOf("Dataset", a, {}), removed),
    ]).toEqual([[], []]);
  });

  test("is of an entity that is ignored", () => {
    expect(declaring(tagged, removed, ignoring([{ urn: a, reason: "r" }]))).toEqual([]);
  });
});

describe("an entity", () => {
  const rolledBack = (action: "create" | "delete"): unknown =>
    conflictsWithManifests(
      [{ action, kind: "Tag", urn: pii, shape: "entity", fingerprint: "" }],
      stateOf({ ...entityOf("Tag", pii, {}), origin }),
      { modes: {}, ignored: nothingIgnored },
    );

  test("that a rollback deletes is made again where manifests declare it", () => {
    expect(rolledBack("delete")).toEqual([
      { code: "rollback-overruled", severity: "warning", args: { urn: pii, kind: "Tag" }, origin },
    ]);
  });

  test("that a rollback makes again and manifests declare stays", () => {
    expect(rolledBack("create")).toEqual([]);
  });
});

test("a member that a rollback takes out of a group is put back by a manifest of the user that lists the group", () => {
  const bob = urn("urn:li:corpuser:bob");
  const fin = urn("urn:li:corpGroup:fin");
  const rolledBack: SetChange = { ...tagging([], [bob]), kind: "Group", urn: fin, facet: "members" };
  const listing = stateOf(entityOf("User", bob, { groups: setOf([fin]) }));

  expect(
    conflictsWithManifests([rolledBack], listing, { modes: {}, ignored: nothingIgnored, base: listing }),
  ).toEqual([
    {
      code: "rollback-overruled",
      severity: "warning",
      args: { urn: fin, kind: "Group", facet: "members", column: undefined },
    },
  ]);
});
