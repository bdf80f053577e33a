import fc from "fast-check";
import { expect, test } from "vitest";
import { type Entity, scalarOf, setOf, type State, stateOver, without } from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { forAll } from "../laws/law.ts";
import { datasetNamed, entityOf } from "../support/states.ts";
import { counted } from "../support/runs.ts";

const urns = ["a", "b", "c", "d"].map(datasetNamed);
const kept = fc.uniqueArray(fc.tuple(fc.constantFrom(...urns), fc.nat()), { selector: ([urn]) => urn });

function numbered(urn: Urn, number: number): Entity {
  return entityOf("Dataset", urn, { description: scalarOf(number) });
}

function numberedState(numbers: readonly (readonly [Urn, number])[]): State {
  return new Map(numbers.map(([urn, number]) => [urn, numbered(urn, number)]));
}

/** All that a state can be asked. */
function toldBy(state: State): unknown {
  const visited: unknown[] = [];
  state.forEach((entity, urn) => visited.push([urn, entity]));
  return {
    size: state.size,
    has: urns.map((urn) => state.has(urn)),
    get: urns.map((urn) => state.get(urn)),
    entries: [[...state], [...state.entries()], visited],
    keys: [...state.keys()],
    values: [...state.values()],
  };
}

test("a state whose entities are made when they are asked for is like one that holds them", counted, () => {
  forAll(kept, 1000, (numbers) => {
    expect(toldBy(stateOver(new Map(), new Map(numbers), numbered))).toEqual(toldBy(numberedState(numbers)));
  });
});

test("a state over another one is like a copy of that one in which the others were set", counted, () => {
  forAll(fc.record({ below: kept, above: kept }), 1000, ({ below, above }) => {
    const copied = new Map([...numberedState(below), ...numberedState(above)]);

    expect(toldBy(stateOver(numberedState(below), new Map(above), numbered))).toEqual(toldBy(copied));
  });
});

test("a number is not the text of its digits", () => {
  expect(setOf(["3", 3]).members).toEqual([3, "3"]);
  expect(without([3, "3"], ["3"])).toEqual([3]);
});
