import { describe, expect, test } from "vitest";
import type { Origin } from "../../../src/model/origin.ts";
import { type Entity, type FacetValue, type Leaf, scalarOf, setOf } from "../../../src/model/state.ts";
import { unfitDeclarations } from "../../../src/plan/checks/defined-values.ts";
import { ruleOf } from "../../support/assets.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const days = urn("urn:li:structuredProperty:days");
const at = (line: number): Origin => ({ file: "catalog/a.yaml", line, column: 1 });

const propertyOf = (leaf: Leaf): FacetValue => ({ shape: "map", entries: new Map([[days, leaf]]) });
const ofColumn = (column: string, leaf: Leaf): FacetValue => ({
  shape: "map",
  entries: new Map([[column, propertyOf(leaf)]]),
});
const ten = scalarOf("ten", at(3));
const definition = (facets: Readonly<Record<string, FacetValue>>): Entity =>
  entityOf("StructuredProperty", days, facets);
const ofNumbers = definition({ value_type: scalarOf("number") });

const unfit = (place: object, path: string): object => ({
  code: "unfit-value",
  severity: "error",
  args: { kind: "Dataset", ...place, path, found: "ten", expected: "a number" },
  origin: at(3),
});

describe("a declared value that a definition declared beside it does not allow is a problem", () => {
  test.each<readonly [string, Readonly<Record<string, FacetValue>>, string]>([
    ["an asset", { structured_properties: propertyOf(ten) }, "structured_properties.days"],
    [
      "a column",
      { "columns.structured_properties": ofColumn("email", ten), description: scalarOf("ten") },
      "columns.email.structured_properties.days",
    ],
  ])("of %s", (_, facets, path) => {
    expect(unfitDeclarations(stateOf(ofNumbers, entityOf("Dataset", a, facets)), [])).toStrictEqual([
      unfit({ urn: a }, path),
    ]);
  });

  test("of a rule, and of the columns that it matches", () => {
    const structured = new Map([["structured_properties", propertyOf(ten)]]);
    const inLine4 = new Map([["columns.structured_properties", propertyOf({ ...ten, origin: at(4) })]]);
    const rule = ruleOf("rule", {
      facets: structured,
      columns: [{ pattern: "*_id", facets: inLine4, origin: at(4) }],
    });

    expect(unfitDeclarations(stateOf(ofNumbers), [rule])).toStrictEqual([
      unfit({ urn: "" }, "structured_properties.days"),
      { ...unfit({ urn: "" }, "columns.*_id.structured_properties.days"), origin: at(4) },
    ]);
  });
});

describe("of a definition all that is declared counts, whatever its mode", () => {
  const allowing = definition({ allowed_values: setOf(["one"]) });
  const ofCharts = definition({ entity_types: setOf(["chart"]) });
  const declaring = entityOf("Dataset", a, { structured_properties: propertyOf(ten) });

  test.each<readonly [string, Entity]>([
    ["its single values", ofNumbers],
    ["its allowed values", allowing],
    ["also where others may add some", { ...allowing, manage: { allowed_values: "merge" } }],
    ["its entity types", { ...ofCharts, manage: { entity_types: "additive" } }],
  ])("%s", (_, own) => {
    expect(unfitDeclarations(stateOf(own, declaring), [])).toHaveLength(1);
  });

  test("and what is not declared is not judged", () => {
    expect(unfitDeclarations(stateOf(declaring), [])).toEqual([]);
  });
});

describe("an allowed value that the type of its own definition does not allow is a problem", () => {
  const allowing = (type: string | undefined, ...values: readonly (string | number)[]): Entity =>
    definition({
      ...(type !== undefined && { value_type: scalarOf(type) }),
      allowed_values: setOf(
        values.map((value) => ({ value })),
        at(7),
      ),
    });

  test.each([
    ["number", 90, "x", "x", "a number"],
    ["string", "a", 90, "90", "a quoted string"],
    ["date", "2027-06-30", "tomorrow", "tomorrow", "a date, such as 2027-06-30"],
    ["urn", "urn:li:tag:a", "a", "a", "a URN"],
  ])("of the type %s", (type, fit, value, found, expected) => {
    expect(unfitDeclarations(stateOf(allowing(type, fit)), [])).toEqual([]);
    expect(unfitDeclarations(stateOf(allowing(type, fit, value)), [])).toStrictEqual([
      {
        code: "unfit-value",
        severity: "error",
        args: { kind: "StructuredProperty", urn: days, path: "allowed_values", found, expected },
        origin: at(7),
      },
    ]);
  });

  test("but not where no manifest says the type", () => {
    expect(unfitDeclarations(stateOf(allowing(undefined, "x", 90)), [])).toEqual([]);
  });
});
