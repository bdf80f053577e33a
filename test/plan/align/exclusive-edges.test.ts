import { describe, expect, test } from "vitest";
import { noMemberships } from "../../../src/model/membership.ts";
import { type Entity, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { type Comparison } from "../../../src/plan/compare.ts";
import { compareStates } from "../../support/compare-states.ts";
import { defaultPolicy, type Policy } from "../../../src/plan/base/policy.ts";
import { datasetNamed, entityOf, liveOf, productEdges, stateOf, urn } from "../../support/states.ts";

const asset = datasetNamed("a");
const [old, joined] = [urn("urn:li:dataProduct:old"), urn("urn:li:dataProduct:joined")];

const product = (group: Urn, ...assets: readonly Urn[]): Entity =>
  entityOf("DataProduct", group, { assets: setOf(assets) });
const listing = (...products: readonly Urn[]): Entity =>
  entityOf("Dataset", asset, { data_products: setOf(products) });

const there = (group: Urn): Entity =>
  entityOf("DataProduct", group, { assets: setOf([]), removed: scalarOf(false) });

const live = stateOf(listing(), there(old), there(joined));
const { facet } = productEdges;

/** What is compared where the asset is in the old data product alone. */
function compared(desired: State, isExclusive: boolean, policy: Partial<Policy>): Comparison {
  const known = { ...noMemberships, groupsOf: new Map([[asset, new Set([old])]]), isExclusive };
  return compareStates(desired, liveOf(live), { ...defaultPolicy, ...policy }, new Map([[facet, known]]));
}

describe("an asset that joins a data product of the part", () => {
  const part = new Set([joined]);
  const desired = stateOf(product(joined, asset), product(old));
  const joins = { urn: joined, add: [asset], remove: [] };

  test("leaves the one that it is in where it can be in one", () => {
    const { changes } = compared(stateOf(product(joined, asset)), true, { part });
    expect(changes).toMatchObject([joins, { urn: old, add: [], remove: [asset] }]);
  });

  test("leaves no other where it can be in several, also where the list of that one omits it", () => {
    const { changes } = compared(desired, false, { part });
    expect(changes).toMatchObject([joins]);
  });

  test("where it can be in several, what it was declared to be in before is not of the part", () => {
    const base = stateOf(listing(old));
    const { changes, unmanaged } = compared(stateOf(product(joined, asset)), false, { part, base });
    expect(changes).toMatchObject([joins]);
    expect(unmanaged).toEqual([]);
  });
});

test("what an asset leaves for another data product does not stay: it is not listed as no longer declared", () => {
  const base = stateOf(listing(old));
  const { changes, unmanaged } = compared(stateOf(product(joined, asset)), true, { base });
  expect(changes).toMatchObject([{ urn: joined }, { urn: old, remove: [asset] }]);
  expect(unmanaged).toEqual([]);
});
