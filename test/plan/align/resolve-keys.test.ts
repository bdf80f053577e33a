import { expect, test } from "vitest";
import { simpleColumn } from "../../../src/facets/columns.ts";
import { leafIn } from "../../../src/model/place.ts";
import type { Origin } from "../../../src/model/origin.ts";
import { type FacetValue, scalarOf, setOf, type SetValue } from "../../../src/model/state.ts";
import { resolveKeys } from "../../../src/plan/align/resolve-keys.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";
import { argOf } from "../../support/problem-args.ts";

const v2 = "[version=2.0].[type=struct].[type=string].email";

test.each([
  ["email", "email"],
  ["address.city", "address.city"],
  ["[0]", "[0]"],
  [v2, "email"],
  ["[version=2.0].[key=True].[type=struct].[type=long].id", "id"],
  ["[version=2.0].[type=E].[type=array].[type=R].items.[type=long].price", "items.price"],
  [
    "[version=2.0].[type=com.acme.Order].[type=com.acme.Customer].customer.[type=string].e-mail",
    "customer.e-mail",
  ],
])("the plain name of %s is %s", (path, name) => {
  expect(simpleColumn(path)).toBe(name);
});

function resolve(written: readonly string[], known: readonly string[]): ReturnType<typeof resolveKeys> {
  const columns = (names: readonly string[]): ReturnType<typeof stateOf> =>
    stateOf(
      entityOf("Dataset", datasetNamed("a"), {
        "columns.tags": { shape: "map", entries: new Map(names.map((name) => [name, setOf(["t"])])) },
      }),
    );
  return resolveKeys(columns(written), columns(known));
}

test.each([
  ["an exact path", ["email"], ["email", v2], ["email"]],
  ["a plain name", ["email"], [v2, "id"], [v2]],
  ["a whole v2 path", [v2], [v2, `${v2}2`], [v2]],
])("%s finds its column", (_, written, known, expected) => {
  const { state, problems } = resolve(written, known);
  expect(problems).toEqual([]);
  const value = state.get(datasetNamed("a"))?.facets.get("columns.tags");
  expect(value?.shape === "map" && [...value.entries.keys()]).toEqual(expected);
});

test.each([
  ["column-unknown", ["mail"], ["email", v2], ["email"]],
  ["column-ambiguous", ["email"], [v2, v2.replace("string", "int")], [v2, v2.replace("string", "int")]],
  ["no-schema", ["email"], [], []],
  ["column-twice", [v2, "email"], [v2], [v2]],
])("%s is a problem with its candidates, and the column is left out", (code, written, known, candidates) => {
  const { state, problems } = resolve(written, known);
  expect(problems).toMatchObject([{ code, severity: "error", args: { candidates } }]);
  const value = state.get(datasetNamed("a"))?.facets.get("columns.tags");
  expect(value?.shape === "map" && value.entries.size).toBe(written.length - 1);
});

test("sets of a column unite where two files name it differently, and each keeps its place", () => {
  const at = (file: string): Origin => ({ file, line: 1, column: 1 });
  const written = new Map([
    ["email", setOf(["a", "b"], at("a.yaml"))],
    [v2, setOf(["b", "c"], at("b.yaml"))],
  ]);
  const dataset = (entries: ReadonlyMap<string, SetValue>): ReturnType<typeof stateOf> =>
    stateOf(entityOf("Dataset", datasetNamed("a"), { "columns.tags": { shape: "map", entries } }));
  const { state, problems } = resolveKeys(dataset(written), dataset(new Map([[v2, setOf([])]])));

  expect(problems).toEqual([]);
  expect(leafIn(state.get(datasetNamed("a")), { facet: "columns.tags", path: [v2] })).toEqual({
    ...setOf(["a", "b", "c"], at("a.yaml")),
    by: [
      { origin: at("a.yaml"), values: ["a", "b"] },
      { origin: at("b.yaml"), values: ["b", "c"] },
    ],
  });
});

test.each([
  ["emial", ["email", "id"], "email"],
  ["emial", [v2, "id"], "email"],
  ["zebra", ["email", "id"], undefined],
])("the unknown column %s beside %j lets %s be suggested", (column, known, suggestion) => {
  const [problem] = resolve([column], known).problems;

  expect(problem && argOf(problem, "suggestion")).toBe(suggestion);
  expect("suggestion" in (problem?.args ?? {})).toBe(suggestion !== undefined);
});

test("for a column that is ambiguous or named twice nothing is suggested but its candidates", () => {
  const [ambiguous] = resolve(["email"], [v2, v2.replace("string", "int")]).problems;
  const [twice] = resolve(["email", v2], [v2]).problems;

  expect(ambiguous?.args).not.toHaveProperty("suggestion");
  expect(twice?.args).toEqual({ urn: datasetNamed("a"), column: v2, candidates: [v2] });
});

test("a problem of a column names its dataset and column, and its place where it has one", () => {
  const origin = { file: "catalog/a.yaml", line: 4, column: 1 };
  const declaring = (value: ReturnType<typeof setOf>): ReturnType<typeof stateOf> =>
    stateOf(
      entityOf("Dataset", datasetNamed("a"), {
        "columns.tags": { shape: "map", entries: new Map([["x", value]]) },
        tags: setOf(["t"]),
      }),
    );
  const live = stateOf(
    entityOf("Dataset", datasetNamed("a"), { "columns.tags": { shape: "map", entries: new Map() } }),
  );
  const problem = {
    code: "no-schema",
    severity: "error",
    args: { urn: datasetNamed("a"), column: "x", candidates: [] },
  };

  expect(resolveKeys(declaring(setOf([], origin)), live).problems).toStrictEqual([{ ...problem, origin }]);
  const { state, problems } = resolveKeys(declaring(setOf([])), live);
  expect(problems).toStrictEqual([problem]);
  expect(state.get(datasetNamed("a"))?.facets.get("tags")).toEqual(setOf(["t"]));
});

test("a problem of a column that is named twice is at the second place, and has the first beside it", () => {
  const [first, second] = [4, 5].map((line) => ({ file: "catalog/a.yaml", line, column: 1 }));
  const other = v2.replace("string", "int");
  const resolved = (
    columns: readonly (readonly [string, ReturnType<typeof setOf>])[],
    paths: readonly string[],
  ) => {
    const tagged = (entries: typeof columns): ReturnType<typeof stateOf> =>
      stateOf(
        entityOf("Dataset", datasetNamed("a"), {
          "columns.tags": { shape: "map", entries: new Map(entries) },
        }),
      );
    return resolveKeys(tagged(columns), tagged(paths.map((path) => [path, setOf([])]))).problems;
  };
  const problem = (code: string, candidates: readonly string[]) => ({
    code,
    severity: "error",
    args: { urn: datasetNamed("a"), column: "email", candidates },
    origin: second,
  });
  const email = ["email", setOf([], second)] as const;

  expect(resolved([[v2, setOf([], first)], email], [v2])).toStrictEqual([
    { ...problem("column-twice", [v2]), related: first },
  ]);
  expect(resolved([[v2, setOf([])], email], [v2])).toStrictEqual([problem("column-twice", [v2])]);
  expect(resolved([[v2, setOf([], first)], email], [v2, other])).toStrictEqual([
    problem("column-ambiguous", [v2, other]),
  ]);
});

test("columns of a dataset that was not read stay as they are written", () => {
  const desired = stateOf(
    entityOf("Dataset", datasetNamed("a"), {
      "columns.tags": { shape: "map", entries: new Map([["x", setOf([])]]) },
    }),
  );
  expect(resolveKeys(desired, new Map())).toEqual({ state: desired, problems: [] });
});

const inFile = (file: string): Origin => ({ file, line: 1, column: 1 });
const columnsOf = (entries: readonly (readonly [string, FacetValue])[]): FacetValue => ({
  shape: "map",
  entries: new Map(entries),
});
const propertiesOf = (...names: readonly string[]): FacetValue =>
  columnsOf(names.map((name) => [name, setOf(["x"], inFile("b.yaml"))]));

test.each<readonly [string, string, FacetValue, FacetValue]>([
  ["single values", "columns.description", scalarOf("x", inFile("a.yaml")), scalarOf("x", inFile("b.yaml"))],
  ["a set and a single value", "columns.tags", setOf([], inFile("a.yaml")), scalarOf("x", inFile("b.yaml"))],
  ["a single value and a set", "columns.tags", scalarOf("x", inFile("a.yaml")), setOf([], inFile("b.yaml"))],
  [
    "sets of several files of which one is the same",
    "columns.tags",
    setOf([], inFile("a.yaml")),
    { ...setOf([]), by: ["b.yaml", "a.yaml"].map((file) => ({ origin: inFile(file), values: [] })) },
  ],
  [
    "two properties of which one is declared twice",
    "columns.structured_properties",
    propertiesOf("p"),
    propertiesOf("q", "p"),
  ],
])("%s of a column that is written in two ways do not unite", (_, facet, first, second) => {
  const dataset = (value: FacetValue): ReturnType<typeof stateOf> =>
    stateOf(entityOf("Dataset", datasetNamed("a"), { [facet]: value }));
  const written = columnsOf([
    [v2, first],
    ["email", second],
  ]);

  const { state, problems } = resolveKeys(dataset(written), dataset(columnsOf([[v2, first]])));

  expect(problems.map(({ code }) => code)).toEqual(["column-twice"]);
  expect(state).toEqual(dataset(columnsOf([[v2, first]])));
});

test("what names its columns as the catalog does stays the same, beside what is renamed", () => {
  const dataset = (name: string, ...columns: readonly string[]): ReturnType<typeof entityOf> =>
    entityOf("Dataset", datasetNamed(name), {
      "columns.tags": columnsOf(columns.map((column) => [column, setOf([])])),
    });
  const same = dataset("a", v2, "id");
  const live = stateOf(same, dataset("b", v2, "id"));

  const { state } = resolveKeys(stateOf(same, dataset("b", "id", "email")), live);

  expect(state).toEqual(stateOf(same, dataset("b", "id", v2)));
  expect(state.get(same.urn)).toBe(same);
});

test.each<readonly [string, FacetValue, FacetValue]>([
  ["is no mapping", setOf([]), columnsOf([])],
  ["is no mapping in the catalog", columnsOf([["x", setOf([])]]), setOf([])],
])("what %s has no columns to name", (_, declared, live) => {
  const dataset = (value: FacetValue): ReturnType<typeof stateOf> =>
    stateOf(entityOf("Dataset", datasetNamed("a"), { "columns.tags": value }));
  expect(resolveKeys(dataset(declared), dataset(live))).toEqual({ state: dataset(declared), problems: [] });
});

test("of many unknown columns the first twenty name what they can be, so that a plan does not grow with their square", () => {
  const known = Array.from({ length: 5000 }, (_, index) => `column_${index}`);
  const { problems } = resolve(
    known.map((name) => `${name}x`),
    known,
  );

  expect(problems.map(({ code }) => code)).toEqual(Array.from({ length: 5000 }, () => "column-unknown"));
  expect(problems.map((problem) => argOf(problem, "candidates"))).toEqual([
    ...Array.from({ length: 20 }, () => known),
    ...Array.from({ length: 4980 }, () => []),
  ]);
});
