import { describe, expect, test } from "vitest";
import type { FacetChange } from "../../../src/model/change.ts";
import type { Origin } from "../../../src/model/origin.ts";
import type { Path } from "../../../src/model/place.ts";
import { type Entity, type Member, type Scalar, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { type Defined, unfitValues } from "../../../src/plan/checks/defined-values.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const days = urn("urn:li:structuredProperty:days");
const email = "[version=2.0].[type=struct].[type=string].email";
const at = (line: number, column = 1): Origin => ({ file: "catalog/a.yaml", line, column });

const about = { action: "update", kind: "Dataset", urn: a, fingerprint: "" } as const;
const facet = "structured_properties";

function setting(after: Scalar, more: Partial<FacetChange> = {}): FacetChange {
  return {
    ...about,
    shape: "scalar",
    facet,
    path: [days],
    before: null,
    after,
    source: at(1),
    ...more,
  } as FacetChange;
}

function adding(add: readonly Member[], path: Path = [days]): FacetChange {
  return { ...about, shape: "set", facet, path, add, remove: ["yearly"], source: at(1) };
}

function defining(name: string, after: Scalar): FacetChange {
  return { ...setting(after), kind: "StructuredProperty", urn: days, facet: name, path: [] };
}

function definition(facets: Readonly<Record<string, string>>): Entity {
  const values = Object.entries(facets).map(([name, value]) => [name, scalarOf(value)] as const);
  return entityOf("StructuredProperty", days, Object.fromEntries(values));
}

/** What is found where only the catalog has the definition. */
function unfitBeside(own: Entity, ...changes: readonly FacetChange[]): ReturnType<typeof unfitValues> {
  return unfitValues(changes, { declared: new Map(), live: liveOf(stateOf(own)), definitions: undefined });
}

const ofNumbers = definition({ value_type: "number", cardinality: "SINGLE" });
const ofTexts = definition({ value_type: "string", cardinality: "MULTIPLE" });

test.each<readonly [string, Entity, FacetChange, string, string, string]>([
  ["a text", ofNumbers, setting("ten"), "structured_properties.days", "ten", "a number"],
  ["a number", ofTexts, adding([7]), "structured_properties.days", "[7]", "a quoted string"],
  [
    "several values",
    ofNumbers,
    adding([1, 2]),
    "structured_properties.days",
    "[1, 2]",
    "a single value: the property allows only one",
  ],
  [
    "none",
    ofTexts,
    setting(null),
    "structured_properties.days",
    "none",
    "`[]`: the property allows several values",
  ],
  [
    "a text of a column",
    ofNumbers,
    setting("ten", { facet: "columns.structured_properties", path: [email, days] }),
    "columns.email.structured_properties.days",
    "ten",
    "a number",
  ],
])("%s that the definition does not allow is a problem at its place", (...given) => {
  const [, own, change, path, found, expected] = given;

  expect(unfitBeside(own, change)).toStrictEqual([
    {
      code: "unfit-value",
      severity: "error",
      args: { kind: "Dataset", urn: a, path, found, expected },
      origin: at(1),
    },
  ]);
});

test("a value of an entity of a type that the definition does not name is a problem with the types", () => {
  const own = entityOf("StructuredProperty", days, { entity_types: setOf(["chart", "dashboard"]) });

  expect(unfitBeside(own, setting(7))).toStrictEqual([
    {
      code: "unfit-entity",
      severity: "error",
      args: { kind: "Dataset", urn: a, definition: days, types: ["chart", "dashboard"] },
      origin: at(1),
    },
  ]);
});

test.each<readonly [string, FacetChange]>([
  ["a value that the definition allows", setting(7)],
  ["a value that a prune takes away", setting("ten", { pruned: true })],
  ["a value of a facet without definitions", setting("ten", { facet: "domain" })],
  ["a value of a property that is not known", setting("ten", { path: ["urn:li:structuredProperty:other"] })],
  ["a value below a key that is no URN", setting("ten", { path: ["days"] })],
  ["an element that goes", adding([])],
])("%s is no problem", (_, change) => {
  const own = definition({ value_type: "number" });

  expect(unfitBeside(own, change)).toEqual([]);
});

describe("the definition that counts", () => {
  const asText = definition({ value_type: "string" });
  const asNumber = definition({ value_type: "number" });
  const none: Defined = { declared: new Map(), live: liveOf(new Map()), definitions: undefined };

  test.each<readonly [string, Partial<Defined>, boolean]>([
    ["that of the catalog", { live: liveOf(stateOf(asNumber)), declared: stateOf(asText) }, true],
    ["one that nobody declares", { definitions: stateOf(asNumber), declared: stateOf(asText) }, true],
    ["the declared one where there is no other", { declared: stateOf(asNumber) }, true],
    ["none that is not known", {}, false],
  ])("is %s", (_, defined, isUnfit) => {
    expect(unfitValues([setting("ten")], { ...none, ...defined })).toHaveLength(isUnfit ? 1 : 0);
  });

  test("is the one that the plan leaves, whatever was before", () => {
    expect(unfitBeside(asText, setting("ten"), defining("value_type", "number"))).toHaveLength(1);
    expect(unfitBeside(asNumber, setting("ten"), defining("value_type", "string"))).toEqual([]);
  });
});

describe("unfit values are reported", () => {
  const place = (urnOf: Urn, source?: Origin): FacetChange =>
    ({ ...setting("ten"), urn: urnOf, source }) as FacetChange;

  test.each<readonly [string, readonly FacetChange[], number]>([
    ["once for all assets of a rule", [place(a, at(1)), place(datasetNamed("b"), at(1))], 1],
    ["for each line", [place(a, at(1)), place(a, at(2))], 2],
    ["for each place in a line", [place(a, at(1, 1)), place(a, at(1, 9))], 2],
    ["for each asset where no place is known", [place(a), place(datasetNamed("b"))], 2],
  ])("%s", (_, changes, count) => {
    expect(unfitBeside(ofNumbers, ...changes)).toHaveLength(count);
  });

  test("without a place where none is known", () => {
    expect(Object.keys(unfitBeside(ofNumbers, place(a))[0] ?? {})).toEqual(["severity", "code", "args"]);
  });
});

describe("a change after which a definition allows a value of another type is a problem", () => {
  const allowing = (type: string, ...values: readonly (string | number)[]): Entity =>
    entityOf("StructuredProperty", days, {
      value_type: scalarOf(type),
      allowed_values: setOf(values.map((value) => ({ value }))),
    });
  const allow = (value: string | number, remove: readonly Member[] = []): FacetChange => ({
    ...about,
    kind: "StructuredProperty",
    urn: days,
    shape: "set",
    facet: "allowed_values",
    path: [],
    add: [{ value }],
    remove,
    source: at(5),
  });
  const problem = (found: string, expected: string, line: number): object => ({
    code: "unfit-value",
    severity: "error",
    args: { kind: "StructuredProperty", urn: days, path: "allowed_values", found, expected },
    origin: at(line),
  });

  test("whichever of both changes", () => {
    expect(unfitBeside(allowing("number", 90), allow("x"))).toEqual([problem("x", "a number", 5)]);
    expect(unfitBeside(allowing("number", 90), defining("value_type", "string"))).toEqual([
      problem("90", "a quoted string", 1),
    ]);
  });

  test("but not where it is so already, or goes", () => {
    expect(unfitBeside(allowing("number", "x"), defining("display_name", "X"))).toEqual([]);
    expect(unfitBeside(allowing("number", "x"), allow(5, [{ value: "x" }]))).toEqual([]);
  });
});
