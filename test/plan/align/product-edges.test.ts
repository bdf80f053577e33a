import { describe, expect, test } from "vitest";
import { type EdgeSet, edgeSetOf } from "../../../src/facets/index.ts";
import { type Memberships, noMemberships } from "../../../src/model/membership.ts";
import type { Origin } from "../../../src/model/origin.ts";
import { type Entity, type FacetValue, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { type WithEdges, withEdges } from "../../../src/plan/align/membership.ts";
import { allEdges } from "../../../src/plan/base/selected-edges.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [a, b, c] = ["a", "b", "c"].map(datasetNamed) as [Urn, Urn, Urn];
const [core, mart] = [urn("urn:li:dataProduct:core"), urn("urn:li:dataProduct:mart")];
const { facet } = edgeSetOf("assets") as EdgeSet;
const line = (number: number): Origin => ({ file: "a.yaml", line: number, column: 1 });

const product = (of: Urn, assets: readonly Urn[] | undefined, origin?: Origin): Entity =>
  entityOf("DataProduct", of, assets ? { assets: setOf(assets, origin) } : {});
const asset = (of: Urn, products: readonly Urn[], origin?: Origin): Entity =>
  entityOf("Dataset", of, { data_products: setOf(products, origin) });

function joined(declared: State, live: readonly Entity[], known: Partial<Memberships> = {}): WithEdges {
  return withEdges(
    { desired: declared, live: stateOf(...live) },
    {
      declared,
      known: new Map([[facet, { ...noMemberships, ...known }]]),
      rules: { modes: {}, ignored: nothingIgnored, selected: allEdges },
    },
  );
}

const assetsIn = (state: State, of: Urn): FacetValue | undefined => state.get(of)?.facets.get(facet);

test("who is in a data product is what was read of edges, and not what was read of the data product", () => {
  const live = [product(core, [a, c]), product(mart, [b]), asset(a, [])];
  const { live: compared } = joined(stateOf(product(core, [a])), live, {
    groupsOf: new Map([[b, new Set([core])]]),
  });

  expect(compared).toEqual(stateOf(product(core, [b]), product(mart, []), asset(a, [])));
});

test("each asset of a data product is declared by all that put it there: the document, or those of the assets", () => {
  const declared = stateOf(
    product(core, [a, c], line(1)),
    asset(b, [core, mart], line(10)),
    asset(c, [mart], line(11)),
  );
  const { desired } = joined(declared, [], { groupsOf: new Map([[c, new Set([core])]]) });

  expect(assetsIn(desired, core)).toEqual({
    ...setOf([a, b, c], line(1)),
    by: [
      { origin: line(1), values: [a, c] },
      { origin: line(10), end: b, values: [b] },
      { origin: line(11), end: c, values: [] },
    ],
  });
});

describe("an asset that is not in the catalog", () => {
  const absent = new Set([a, b]);
  const declared = stateOf(product(core, [a, c]), asset(b, [core]));

  test("joins no data product, whichever side declares it", () => {
    expect(assetsIn(joined(declared, [], { absent }).desired, core)).toMatchObject(setOf([c]));
    expect(assetsIn(joined(declared, []).desired, core)).toMatchObject(setOf([a, b, c]));
  });

  test("stays where it was, as it is in it again when it comes back", () => {
    const groupsOf = new Map([a, b].map((each) => [each, new Set([core])]));
    expect(assetsIn(joined(declared, [], { absent, groupsOf }).desired, core)).toMatchObject(
      setOf([a, b, c]),
    );
  });
});

describe("an asset that joins a data product", () => {
  const groupsOf = new Map([[a, new Set([mart])]]);
  const live = [product(core, []), product(mart, [])];

  test("stays in its others where it can be in several", () => {
    const { desired, live: compared } = joined(stateOf(product(core, [a])), live, { groupsOf });
    expect([desired, compared].map((state) => assetsIn(state, mart))).toEqual([undefined, setOf([])]);
  });

  test("leaves them where it can be in one", () => {
    const { desired, live: compared } = joined(stateOf(product(core, [a])), live, {
      groupsOf,
      isExclusive: true,
    });
    expect([desired, compared].map((state) => assetsIn(state, mart))).toMatchObject([setOf([]), setOf([a])]);
  });
});

test("a data product that could not be read is a problem, also where its edges are not managed", () => {
  const declared = stateOf({ ...product(mart, undefined), origin: line(3) });
  const { problems } = joined(declared, [], { unreadable: new Map([core, mart].map((of) => [of, "no"])) });

  const problem = { code: "read-failed", severity: "error" };
  expect(problems).toEqual([
    { ...problem, args: { urn: core, error: "no" } },
    { ...problem, args: { urn: mart, error: "no" }, origin: line(3) },
  ]);
});
