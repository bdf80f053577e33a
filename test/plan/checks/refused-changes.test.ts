import { expect, test } from "vitest";
import type { FacetChange } from "../../../src/model/change.ts";
import type { Origin } from "../../../src/model/origin.ts";
import { type FacetValue, type Scalar, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import { refusedChanges, unremovableValues } from "../../../src/plan/checks/defined-values.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../../support/states.ts";

const days = urn("urn:li:structuredProperty:days");
const rows = urn("urn:li:structuredProperty:rows");
const a = datasetNamed("a");
const at = (line: number): Origin => ({ file: "catalog/days.yaml", line, column: 1 });

function change(facet: string, after: Scalar, more: Partial<FacetChange> = {}): FacetChange {
  return {
    action: "update",
    shape: "scalar",
    kind: "StructuredProperty",
    urn: days,
    facet,
    before: null,
    after,
    fingerprint: "",
    ...more,
  } as FacetChange;
}

function refused(live: State, ...changes: readonly FacetChange[]): ReturnType<typeof refusedChanges> {
  return refusedChanges(changes, { declared: new Map(), live: liveOf(live), definitions: undefined });
}

const several = entityOf("StructuredProperty", days, {
  value_type: scalarOf("string"),
  cardinality: scalarOf("MULTIPLE"),
});

test("each change of a definition that DataHub refuses is a problem where it is declared, with another way", () => {
  const changes = [
    change("description", "Days.", { source: at(3) }),
    change("cardinality", "SINGLE", { source: at(4) }),
    change("value_type", "number"),
  ];

  expect(refused(stateOf(several), ...changes)).toMatchInlineSnapshot(`
    [
      {
        "args": {
          "facet": "value_type",
          "kind": "StructuredProperty",
          "reason": "cannot change",
          "urn": "urn:li:structuredProperty:days",
          "way": "declare a later \`version\` (a 14-digit timestamp), or a different property",
        },
        "code": "refused-change",
        "severity": "error",
      },
      {
        "args": {
          "facet": "cardinality",
          "kind": "StructuredProperty",
          "reason": "can only change from SINGLE to MULTIPLE",
          "urn": "urn:li:structuredProperty:days",
          "way": "declare a later \`version\` (a 14-digit timestamp), or a different property",
        },
        "code": "refused-change",
        "origin": {
          "column": 1,
          "file": "catalog/days.yaml",
          "line": 4,
        },
        "severity": "error",
      },
    ]
  `);
});

const allows = (...values: readonly string[]): FacetValue => setOf(values.map((value) => ({ value })));

/** A change of the values that a definition allows. */
function allowing(add: readonly string[], remove: readonly string[]): FacetChange {
  const [added, removed] = [add, remove].map((values) => values.map((value) => ({ value })));
  return { ...change("allowed_values", null), shape: "set", add: added, remove: removed } as FacetChange;
}

test.each<readonly [string, Readonly<Record<string, FacetValue>>, FacetChange, boolean]>([
  ["fewer values", { allowed_values: allows("a", "b") }, allowing([], ["b"]), true],
  ["other values", { allowed_values: allows("a") }, allowing(["b"], ["a"]), true],
  ["some values where all were allowed", {}, allowing(["a"], []), true],
  ["more values", { allowed_values: allows("a") }, allowing(["b"], []), false],
  ["all values", { allowed_values: allows("a") }, allowing([], ["a"]), false],
  ["several values", { cardinality: scalarOf("SINGLE") }, change("cardinality", "MULTIPLE"), false],
  ["a later version", { version: scalarOf("20270101000000") }, change("version", "20270630000000"), false],
  ["an earlier version", { version: scalarOf("20270101000000") }, change("version", "20260630000000"), true],
])("a definition that changes to %s", (_, facets, own, isRefused) => {
  const live = stateOf(entityOf("StructuredProperty", days, facets));

  expect(refused(live, own)).toHaveLength(isRefused ? 1 : 0);
});

test("a change that a later version allows is no problem", () => {
  const changes = [change("cardinality", "SINGLE"), change("version", "20270630000000")];

  expect(refused(stateOf(several), ...changes)).toEqual([]);
});

test.each<readonly [string, State, FacetChange]>([
  ["a definition that is created", new Map(), change("value_type", "number", { action: "create" })],
  ["another definition", stateOf(several), change("value_type", "number", { urn: rows })],
  [
    "an entity of a kind of which nothing is refused",
    stateOf(entityOf("Dataset", a, {})),
    change("description", "A.", { urn: a, kind: "Dataset" }),
  ],
])("nothing is refused of %s", (_, live, own) => {
  expect(refused(live, own)).toEqual([]);
});

const removal = { kind: "Dataset", urn: a, path: [days] } as const;
const unsetting = change("structured_properties", null, { ...removal, source: at(5) });
/** A release that has the mutations of structured properties, but for that which unsets. */
const older = new Set(["Mutation.upsertStructuredProperties"]);

test("a value that the server's release cannot take away is a problem at its place", () => {
  const problem = {
    code: "unremovable-value",
    severity: "error",
    args: { kind: "Dataset", urn: a, path: "structured_properties.days" },
  };
  const unplaced = change("structured_properties", null, removal);

  expect(unremovableValues([unsetting, unplaced], { fields: older })).toStrictEqual([
    { ...problem, origin: at(5) },
    problem,
  ]);
});

const emptying: FacetChange = {
  action: "update",
  shape: "set",
  facet: "structured_properties",
  add: [],
  remove: [7],
  fingerprint: "",
  ...removal,
};

test.each<readonly [string, ReadonlySet<string> | undefined, FacetChange]>([
  ["a newer release", new Set([...older, "Mutation.removeStructuredProperties"]), unsetting],
  ["a release that is not known", undefined, unsetting],
  ["a value that is set", older, change("structured_properties", "ten", removal)],
  ["a list", older, emptying],
  ["a facet that any release unsets", older, change("domain", null, { kind: "Dataset", urn: a })],
])("of %s nothing is said", (_, fields, own) => {
  expect(unremovableValues([own], fields ? { fields } : {})).toEqual([]);
});
