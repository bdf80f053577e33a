import { describe, expect, test } from "vitest";
import { type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  ancestorsOf,
  cyclesFrom,
  nearestAbove,
  type ParentOf,
  parentIn,
  parentsIn,
} from "../../../src/plan/base/parents.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [a, b, c, d] = ["a", "b", "c", "d"].map((id) => urn(`urn:li:domain:${id}`)) as [Urn, Urn, Urn, Urn];

const below = (domain: Urn, parent: Urn | string | null) =>
  entityOf("Domain", domain, { parent_domain: scalarOf(parent) });

const ways =
  (parents: Readonly<Record<Urn, Urn>>): ParentOf =>
  (of) =>
    parents[of];

describe("what an entity says of the one above it", () => {
  const other = urn("urn:li:dataFlow:(airflow,f,PROD)");
  const facets = { parent_domain: scalarOf(b) };

  // A URN, what is in the state under it, what it says.
  test.each<readonly [string, Urn, Readonly<Record<string, FacetValue>>, FacetValue | undefined]>([
    ["is its parent", a, facets, scalarOf(b)],
    ["is that it has none", a, { parent_domain: scalarOf(null) }, scalarOf(null)],
    ["is nothing where it declares none", a, {}, undefined],
    ["is nothing where it is no single value", a, { parent_domain: setOf([b]) }, undefined],
    ["is nothing where its kind forms no tree", datasetNamed("t"), facets, undefined],
    ["is nothing where no manifest can declare it", other, facets, undefined],
  ])("%s", (_, of, declared, expected) => {
    expect(parentIn(stateOf(entityOf("Domain", of, declared)), of)).toEqual(expected);
  });

  test("is nothing where it is not in the state", () => {
    expect(parentIn(stateOf(), a)).toBeUndefined();
  });
});

test("the parent of an entity is that of the first state that says what it is, and must be a URN", () => {
  const parentOf = parentsIn(
    stateOf(below(a, b), below(b, null), below(d, "finance"), entityOf("Domain", c, {})),
    stateOf(below(a, c), below(b, c), below(c, d), below(d, a)),
  );

  expect([a, b, c, d, datasetNamed("t")].map(parentOf)).toEqual([b, undefined, d, undefined, undefined]);
});

test.each<readonly [string, Readonly<Record<Urn, Urn>>, readonly Urn[]]>([
  ["none, at the top", {}, []],
  ["all up to the top, nearest first", { [a]: b, [b]: c, [c]: d }, [b, c, d]],
  ["all of the circle that it is in, but itself", { [a]: b, [b]: c, [c]: a }, [b, c]],
  ["all of the circle that it leads into, each once", { [a]: b, [b]: c, [c]: b }, [b, c]],
])("above an entity are %s", (_, parents, expected) => {
  expect(ancestorsOf(a, ways(parents))).toEqual(expected);
});

describe("the nearest wanted above an entity", () => {
  const isWanted =
    (...wanted: readonly Urn[]) =>
    (above: Urn) =>
      wanted.includes(above);

  test.each<readonly [string, Readonly<Record<Urn, Urn>>, readonly Urn[], Urn | undefined]>([
    ["is the first on the way", { [a]: b, [b]: c, [c]: d }, [c, d], c],
    ["is none that is not on the way", { [a]: b }, [a, c], undefined],
    ["is never the entity itself, also in a circle", { [a]: b, [b]: a }, [a], undefined],
    ["is none in a circle that holds no such", { [a]: b, [b]: c, [c]: b }, [d], undefined],
  ])("%s", (_, parents, wanted, expected) => {
    expect(nearestAbove(a, ways(parents), isWanted(...wanted))).toBe(expected);
  });
});

test.each<readonly [string, Readonly<Record<Urn, Urn>>, readonly Urn[], readonly (readonly Urn[])[]]>([
  ["no circle", { [a]: b, [b]: c }, [a, b], []],
  ["a circle once, from whichever entity", { [a]: b, [b]: a }, [a, b], [[a, b]]],
  ["a circle without what is below it", { [a]: b, [b]: c, [c]: b }, [a], [[b, c]]],
  ["each of several circles", { [a]: a, [b]: c, [c]: b }, [c, a], [[c, b], [a]]],
  ["no circle that nothing leads into", { [a]: b, [c]: c }, [a], []],
])("the ways up from some entities lead into %s", (_, parents, starts, expected) => {
  expect(cyclesFrom(starts, ways(parents))).toEqual(expected);
});
