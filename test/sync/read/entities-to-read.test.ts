import { expect, test } from "vitest";
import { facetsOf } from "../../../src/facets/index.ts";
import { scalarOf } from "../../../src/model/state.ts";
import { entityToRead, withAllFacets } from "../../../src/sync/read/entities-to-read.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const [orders, chart] = [datasetNamed("orders"), urn("urn:li:chart:(looker,1)")];
const [inColumns, placeholder] = ["columns.structured_properties", scalarOf(null)];

test("an entity is read with all facets of its kind, or with those that are named", () => {
  const [entity] = entityToRead(orders);
  expect([...(entity?.facets.keys() ?? [])]).toEqual(facetsOf("Dataset").map(({ name }) => name));
  expect(entityToRead(orders, () => [{ name: "tags" }])).toEqual([
    { urn: orders, kind: "Dataset", facets: new Map([["tags", placeholder]]) },
  ]);
});

test("an entity of a type without a kind is not read", () => {
  expect(entityToRead(urn("urn:li:ownershipType:admin"))).toEqual([]);
});

test("values of columns are read of the entities that have columns, where they are wanted", () => {
  const state = withAllFacets([orders, chart], [inColumns]);
  expect(state.get(orders)?.facets.get(inColumns)).toEqual({ shape: "map", entries: new Map() });
  expect(state.get(orders)?.facets.get("tags")).toEqual(placeholder);
  expect([...state.values()].slice(1)).toEqual(entityToRead(chart));
  expect([...withAllFacets([orders, chart]).values()]).toEqual(
    [orders, chart].flatMap((each) => entityToRead(each)),
  );
});
