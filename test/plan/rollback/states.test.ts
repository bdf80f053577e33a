import { describe, expect, test } from "vitest";
import type { EntityChange, FacetChange, OwnValue } from "../../../src/model/change.ts";
import { placeAt } from "../../../src/model/place.ts";
import { type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { referencesAt, referencesIn, statesOf } from "../../../src/plan/rollback/states.ts";
import type { Written } from "../../../src/plan/base/written.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const origin = { file: "1a2b3c4", line: 1, column: 1 };
const a = datasetNamed("a");
const pii = urn("urn:li:tag:pii");
const gold = urn("urn:li:tag:gold");
const finance = urn("urn:li:domain:finance");

const update = { action: "update", kind: "Dataset", urn: a, fingerprint: "" } as const;

const retagged = (facet: string, ...path: readonly string[]): FacetChange => ({
  ...update,
  ...placeAt(facet, path),
  shape: "set",
  add: [gold],
  remove: [pii],
});

const described: FacetChange = {
  ...update,
  facet: "description",
  shape: "scalar",
  before: "old",
  after: "new",
};

const deletionOf = (values?: readonly OwnValue[]): EntityChange => ({
  action: "delete",
  shape: "entity",
  kind: "Tag",
  urn: pii,
  fingerprint: "",
  ...(values && { values }),
});

const statesAfter = (written: Partial<Written>): ReturnType<typeof statesOf> =>
  statesOf({ changed: [], created: [], deleted: [], ...written }, origin);

describe("what a run changed", () => {
  test("is known as it was before, with the run as its place, and as the run left it", () => {
    const { before, left } = statesAfter({ changed: [described, retagged("tags")] });

    expect(before).toEqual(
      stateOf(
        entityOf("Dataset", a, {
          description: scalarOf("old", origin),
          tags: setOf([pii], origin),
        }),
      ),
    );
    expect(left).toEqual(
      stateOf(entityOf("Dataset", a, { description: scalarOf("new"), tags: setOf([gold]) })),
    );
  });

  test("is known for each column", () => {
    const changed = [retagged("columns.tags", "id"), retagged("columns.tags", "email")];

    const { left } = statesAfter({ changed });

    const entries = new Map([
      ["id", setOf([gold])],
      ["email", setOf([gold])],
    ]);
    expect(left).toEqual(stateOf(entityOf("Dataset", a, { "columns.tags": { shape: "map", entries } })));
  });

  test("is known in one set where references to what was deleted were removed beside other elements", () => {
    const silver = urn("urn:li:tag:silver");
    const reference: FacetChange = { ...retagged("tags"), shape: "set", add: [], remove: [silver] };

    const { before, left } = statesAfter({ changed: [retagged("tags"), reference] });

    expect(before.get(a)?.facets.get("tags")).toEqual(setOf([pii, silver], origin));
    expect(left.get(a)?.facets.get("tags")).toEqual(setOf([gold]));
  });

  test("counts only once where a value changed twice", () => {
    const { before } = statesAfter({ changed: [described, { ...described, before: "new" }] });

    expect(before.get(a)?.facets.get("description")).toEqual(scalarOf("old", origin));
  });
});

test("what a run created has the values that it gave it, or none", () => {
  const given: FacetChange = { ...described, action: "create", kind: "Tag", urn: pii };

  const { created } = statesAfter({
    created: [
      { urn: pii, kind: "Tag", changes: [given] },
      { urn: finance, kind: "Domain", changes: [] },
    ],
  });

  expect(created).toEqual(
    stateOf(
      { ...entityOf("Tag", pii, { description: scalarOf("new") }), origin },
      { ...entityOf("Domain", finance, {}), origin },
    ),
  );
});

describe("what a run deleted", () => {
  test("was there before with all its values", () => {
    const values: readonly OwnValue[] = [
      { facet: "description", value: "Personal." },
      { facet: "color" },
      { facet: "owners", elements: ["x"] },
      { facet: "columns.tags", path: ["id"], elements: [gold] },
      { facet: "columns.tags", path: ["email"], elements: [gold] },
    ];

    const { before, deleted } = statesAfter({ deleted: [deletionOf(values)] });

    const entries = new Map([
      ["id", setOf([gold], origin)],
      ["email", setOf([gold], origin)],
    ]);
    const facets = {
      description: scalarOf("Personal.", origin),
      color: scalarOf(null, origin),
      owners: setOf(["x"], origin),
      "columns.tags": { shape: "map", entries } as const,
    };
    expect(before).toEqual(stateOf({ ...entityOf("Tag", pii, facets), origin }));
    expect(deleted).toEqual(new Set([pii]));
  });

  test("keeps the members that were removed from it before", () => {
    const changed: readonly FacetChange[] = [{ ...retagged("members"), kind: "Tag", urn: pii }];
    const values: readonly OwnValue[] = [{ facet: "description", value: "Personal." }];

    const { before } = statesAfter({ changed, deleted: [deletionOf(values)] });

    expect(before.get(pii)?.facets).toEqual(
      new Map<string, FacetValue>([
        ["members", setOf([pii], origin)],
        ["description", scalarOf("Personal.", origin)],
      ]),
    );
  });

  test("is nothing that is put back where an older report does not say what it was", () => {
    const changed: readonly FacetChange[] = [{ ...described, kind: "Tag", urn: pii }, described];

    const { before, deleted } = statesAfter({ changed, deleted: [deletionOf()] });

    expect([[...before.keys()], [...deleted]]).toEqual([[a], []]);
  });

  test("stays as changed where the report says what it was", () => {
    const changed: readonly FacetChange[] = [{ ...described, kind: "Tag", urn: pii }];

    const { before } = statesAfter({ changed, deleted: [deletionOf([])] });

    expect(before.get(pii)?.facets).toEqual(new Map([["description", scalarOf("old", origin)]]));
  });
});

const retention = urn("urn:li:structuredProperty:retention");

describe("references", () => {
  test("are the entities that a value names", () => {
    expect(referencesAt({ facet: "domain" }, scalarOf(finance))).toEqual([finance]);
    expect(referencesAt({ facet: "tags" }, setOf([pii, gold]))).toEqual([gold, pii]);
  });

  test("are also the entities that keys name, but only where there is a value", () => {
    const place = { facet: "structured_properties", path: [retention] };

    expect([
      referencesAt(place, scalarOf(30)),
      referencesAt(place, scalarOf(null)),
      referencesAt(place, setOf([])),
    ]).toEqual([[retention], [], []]);
  });

  test("of a state name what refers, and where", () => {
    const ofColumns = { shape: "map", entries: new Map([["id", setOf([pii])]]) } as const;
    const facets = { domain: scalarOf(finance), "columns.tags": ofColumns };
    const state = stateOf(entityOf("Dataset", a, facets));

    expect(referencesIn(state, origin)).toEqual([
      { urn: finance, entityType: "domain", from: a, facet: "domain", origin },
      { urn: pii, entityType: "tag", from: a, facet: "columns.tags", path: ["id"], origin },
    ]);
  });
});
