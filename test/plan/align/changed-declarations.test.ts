import { expect, test } from "vitest";
import type { Rule } from "../../../src/model/rule.ts";
import { type Entity, type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { changedDeclarations, digestOfDeclarations } from "../../../src/plan/align/changed-declarations.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [asset, other] = [datasetNamed("a"), datasetNamed("b")];
const [pii, tier] = [urn("urn:li:tag:pii"), urn("urn:li:tag:tier")];
const origin = { file: "a.yaml", line: 1, column: 1 };

function tagsOf(column: string, ...tags: readonly (typeof pii)[]): FacetValue {
  return { shape: "map", entries: new Map([[column, setOf(tags)]]) };
}

const first = entityOf("Dataset", asset, {
  domain: scalarOf(urn("urn:li:domain:sales")),
  tags: setOf([pii]),
  "columns.tags": tagsOf("id", pii),
});

function withFacet(name: string, value: FacetValue): Entity {
  return { ...first, facets: new Map([...first.facets, [name, value]]) };
}

const elsewhere: Entity = {
  ...first,
  origin,
  facets: new Map([...first.facets, ["tags", setOf([pii], origin)]]),
};

const others: readonly (readonly [string, Entity])[] = [
  ["another single value", withFacet("domain", scalarOf(null))],
  ["another element", withFacet("tags", setOf([tier]))],
  ["one element more", withFacet("tags", setOf([pii, tier]))],
  ["another tag of a column", withFacet("columns.tags", tagsOf("id", tier))],
  ["another column", withFacet("columns.tags", tagsOf("email", pii))],
  ["a facet more", withFacet("owners", setOf([]))],
  ["a facet less", entityOf("Dataset", asset, { tags: setOf([pii]) })],
  ["a mode of a facet", { ...first, manage: { tags: "merge" } }],
  ["a mode of a value", withFacet("tags", { ...setOf([pii]), mode: "merge" })],
  ["another kind", { ...first, kind: "Container" }],
];

test.each(others)("a declaration changes with %s, and so does the hash of all", (_, now) => {
  expect([...changedDeclarations(stateOf(first), stateOf(now))]).toEqual([asset]);
  expect(digestOfDeclarations(stateOf(now), [], new Map())).not.toBe(
    digestOfDeclarations(stateOf(first), [], new Map()),
  );
});

test("a declaration at another place is the same", () => {
  expect(changedDeclarations(stateOf(first), stateOf(elsewhere)).size).toBe(0);
  expect(digestOfDeclarations(stateOf(elsewhere), [], new Map())).toBe(
    digestOfDeclarations(stateOf(first), [], new Map()),
  );
});

test("what only one side declares has changed, and only those are looked at that may have", () => {
  const beside = entityOf("Dataset", other, {});
  expect([...changedDeclarations(stateOf(first), stateOf(first, beside))]).toEqual([other]);
  expect([...changedDeclarations(stateOf(first, beside), stateOf(first))]).toEqual([other]);
  const touched = new Set([asset, datasetNamed("declared-by-neither")]);
  expect(changedDeclarations(stateOf(first, beside), stateOf(), touched)).toEqual(new Set([asset]));
});

const rule: Rule = {
  id: "r",
  kind: "Dataset",
  conditions: [{ key: "name", patterns: ["a*"], origin }],
  exclusions: [[{ key: "env", patterns: ["DEV"], origin }]],
  facets: new Map([["tags", setOf([pii])]]),
  columns: [{ pattern: "id", facets: new Map([["columns.tags", setOf([pii])]]), origin }],
  modePlaces: new Map(),
  priority: 0,
  references: [],
  origin,
};

const [condition] = rule.conditions;
const [column] = rule.columns;

test.each<readonly [string, Partial<Rule>]>([
  ["its id", { id: "s" }],
  ["its kind", { kind: "Container" }],
  ["a condition", { conditions: [{ ...condition, key: "name", patterns: ["b*"], origin }] }],
  ["the key of a condition", { conditions: [{ key: "urn", patterns: ["a*"], origin }] }],
  ["an exclusion", { exclusions: [] }],
  ["what an exclusion names", { exclusions: [[{ key: "env", patterns: ["PROD"], origin }]] }],
  ["what it declares", { facets: new Map() }],
  ["a pattern of columns", { columns: [{ ...column, pattern: "*", facets: new Map(), origin }] }],
  ["a native type", { columns: rule.columns.map((each) => ({ ...each, nativeTypes: ["INT"] })) }],
  ["a mode", { manage: { tags: "merge" } }],
  ["its priority", { priority: 1 }],
])("the hash of all declarations changes with a rule: %s", (_, change) => {
  const digest = (each: Rule): string => digestOfDeclarations(stateOf(), [each], new Map());
  expect(digest({ ...rule, ...change })).not.toBe(digest(rule));
  expect(digest({ ...rule, origin: { ...origin, line: 9 } })).toBe(digest(rule));
});

test("the hash of all declarations changes with the rules that an asset leaves out, whatever their order", () => {
  const digest = (...ids: readonly string[]): string =>
    digestOfDeclarations(stateOf(), [], new Map([[asset, new Set(ids)]]));
  expect(digest("a", "b")).toBe(digest("b", "a"));
  expect(digest("a", "b")).not.toBe(digest("a"));
});
