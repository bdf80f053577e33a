import { expect, test } from "vitest";
import type { Mode, Modes } from "../../../src/model/settings.ts";
import { type FacetValue, type MapValue, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import { adopt, type Adoption } from "../../../src/plan/align/adopt.ts";
import { ignoring, nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";

const a = datasetNamed("a");
const b = datasetNamed("b");
const origin = { file: "catalog/a.yaml", line: 4, column: 1 };

type Facets = Readonly<Record<string, FacetValue>>;

const of = (facets: Facets): State => stateOf(entityOf("Dataset", a, facets));

function columns(entries: Readonly<Record<string, readonly string[]>>): MapValue {
  return {
    shape: "map",
    entries: new Map(Object.entries(entries).map(([column, tags]) => [column, setOf(tags)])),
  };
}

function adopted(mode: Mode, want: Facets, have: Facets, base?: Facets): Adoption {
  const modes: Modes = { tags: mode, domain: mode, "columns.tags": mode };
  return adopt(of(want), of(have), { modes, ignored: nothingIgnored, base: base && of(base) });
}

const facetsIn = ({ state }: Adoption): Facets => Object.fromEntries(state.get(a)?.facets ?? []);

test("what is not declared is as it is, and what is declared as it is declared", () => {
  const have = { tags: setOf(["x"]), domain: scalarOf("d"), owners: setOf(["u"]) };
  const want = { tags: setOf(["y"], origin) };
  const manifest = { ...entityOf("Dataset", a, want), origin };
  const { state, kept } = adopt(stateOf(manifest), of(have), {
    modes: {},
    ignored: nothingIgnored,
    base: undefined,
  });

  expect([...state]).toEqual([[a, { ...manifest, facets: new Map(Object.entries({ ...have, ...want })) }]]);
  expect(kept).toEqual([]);
});

test("entities that are not there, and those that nobody declares, are left out", () => {
  const desired = stateOf(entityOf("Dataset", a, {}), entityOf("Dataset", b, {}));
  const live = stateOf(entityOf("Dataset", b, {}), entityOf("Dataset", datasetNamed("c"), {}));

  const { state } = adopt(desired, live, { modes: {}, ignored: nothingIgnored, base: undefined });

  expect([...state.keys()]).toEqual([b]);
});

// A mode, what is there, what base declares, what shall be there, the values that stay and why. Declared is `new`.
test.each<readonly [Mode, readonly string[], readonly string[] | undefined, readonly string[], object]>([
  ["authoritative", ["old", "else"], ["old"], ["new"], {}],
  ["merge", ["old", "else"], ["old"], ["new", "else"], { else: "other-writer" }],
  ["merge", ["old"], undefined, ["new", "old"], { old: "other-writer" }],
  [
    "additive",
    ["old", "else"],
    ["old"],
    ["new", "old", "else"],
    { else: "other-writer", old: "no-longer-declared" },
  ],
])("under %s a set that holds %j, with %j in base, shall hold %j", (mode, live, base, members, reasons) => {
  const result = adopted(
    mode,
    { tags: setOf(["new"]) },
    { tags: setOf(live) },
    base && { tags: setOf(base) },
  );

  expect(facetsIn(result)).toEqual({ tags: setOf(members) });
  expect(result.kept).toStrictEqual(
    Object.entries(reasons).map(([value, reason]) => ({
      urn: a,
      kind: "Dataset",
      facet: "tags",
      value,
      reason,
    })),
  );
});

test("a single value that stays is named with why it does", () => {
  const before = { domain: scalarOf("d") };
  const result = adopted("additive", { domain: scalarOf("e") }, { domain: scalarOf("d") }, before);

  expect(facetsIn(result)).toEqual({ domain: scalarOf("d") });
  expect(result.kept).toStrictEqual([
    { urn: a, kind: "Dataset", facet: "domain", value: "d", reason: "no-longer-declared" },
  ]);
});

test("each column is a value of its own, and a column that is not declared is as it is", () => {
  const result = adopted(
    "merge",
    { "columns.tags": columns({ x: ["new"], y: [] }) },
    { "columns.tags": columns({ x: ["old", "else"], y: ["old"], z: ["old"] }) },
    { "columns.tags": columns({ x: ["old"], z: ["old"] }) },
  );

  expect(facetsIn(result)).toEqual({
    "columns.tags": columns({ x: ["new", "else"], y: ["old"], z: ["old"] }),
  });
  const kept = { urn: a, kind: "Dataset", facet: "columns.tags", reason: "other-writer" };
  expect(result.kept).toStrictEqual([
    { ...kept, path: ["x"], value: "else" },
    { ...kept, path: ["y"], value: "old" },
  ]);
});

test.each<readonly [string, Facets, Facets, Facets | undefined, Facets]>([
  [
    "columns that were not read",
    { "columns.tags": columns({ x: ["new"] }) },
    {},
    undefined,
    { "columns.tags": columns({ x: ["new"] }) },
  ],
  [
    "columns that were read as something else",
    { "columns.tags": columns({ x: ["new"] }) },
    { "columns.tags": setOf(["old"]) },
    undefined,
    { "columns.tags": columns({ x: ["new"] }) },
  ],
  [
    "a column that the schema does not have",
    { "columns.tags": columns({ x: ["new"] }) },
    { "columns.tags": columns({}) },
    undefined,
    { "columns.tags": columns({ x: ["new"] }) },
  ],
  ["a set that was not read", { tags: setOf(["new"]) }, {}, undefined, { tags: setOf(["new"]) }],
  [
    "a set that was read as a single value",
    { tags: setOf(["new"]) },
    { tags: scalarOf("old") },
    undefined,
    { tags: setOf(["new"]) },
  ],
  [
    "a single value that was not read",
    { domain: scalarOf("new") },
    {},
    undefined,
    { domain: scalarOf("new") },
  ],
  [
    "a single value that was read as a set",
    { domain: scalarOf("new") },
    { domain: setOf(["old"]) },
    undefined,
    { domain: scalarOf("new") },
  ],
])("of %s nothing is kept: it is as it is declared", (_, want, have, base, expected) => {
  for (const mode of ["merge", "additive"] as const) {
    const result = adopted(mode, want, have, base);
    expect(facetsIn(result)).toEqual(expected);
    expect(result.kept).toEqual([]);
  }
});

test.each<readonly [string, Facets, Facets, Facets]>([
  ["a set", { tags: setOf([]) }, { tags: setOf(["old"]) }, { tags: scalarOf("old") }],
  ["a single value", { domain: scalarOf("e") }, { domain: scalarOf("old") }, { domain: setOf(["old"]) }],
  [
    "columns",
    { "columns.tags": columns({ x: [] }) },
    { "columns.tags": columns({ x: ["old"] }) },
    { "columns.tags": setOf(["old"]) },
  ],
])("a base that knows %s in another shape did not declare it", (_, want, have, base) => {
  const result = adopted("additive", want, have, base);

  expect(facetsIn(result)).toEqual(have);
  expect(result.kept).toMatchObject([{ value: "old", reason: "other-writer" }]);
});

test("the mode of a manifest wins over that of the settings, for its entity alone", () => {
  const [want, have] = [{ tags: setOf([]) }, { tags: setOf(["old"]) }];
  const manifest = { ...entityOf("Dataset", a, want), manage: { tags: "additive" as const } };
  const { state, kept } = adopt(
    stateOf(manifest, entityOf("Dataset", b, want)),
    stateOf(entityOf("Dataset", a, have), entityOf("Dataset", b, have)),
    { modes: { tags: "authoritative" }, ignored: nothingIgnored, base: undefined },
  );

  expect([...state.values()].map(({ facets }) => facets.get("tags"))).toEqual([setOf(["old"]), setOf([])]);
  expect(kept.map(({ urn }) => urn)).toEqual([a]);
});

test("what is ignored stays under every mode, in its facet and its entity alone", () => {
  const want = { tags: setOf([]), owners: setOf([]) };
  const have = { tags: setOf(["ignored"]), owners: setOf(["ignored"]) };
  const { state, kept } = adopt(
    stateOf(entityOf("Dataset", a, want), entityOf("Dataset", b, want)),
    stateOf(entityOf("Dataset", a, have), entityOf("Dataset", b, have)),
    { modes: {}, ignored: ignoring([{ facet: "tags", urn: a, reason: "r" }]), base: undefined },
  );

  expect([...state.values()].map(({ facets }) => Object.fromEntries(facets))).toEqual([
    { tags: setOf(["ignored"]), owners: setOf([]) },
    want,
  ]);
  expect(kept).toEqual([]);
});
