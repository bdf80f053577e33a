import fc from "fast-check";
import { expect } from "vitest";
import type { Change } from "../../src/model/change.ts";
import type { Entity, FacetValue, State } from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { heldBackIn } from "../../src/model/held-back.ts";
import { lawsOf } from "./law.ts";
import { deletedIn, falls, fillsWhatFell } from "./table.ts";
import { after, type Declared, planOf, type World, worlds } from "./worlds.ts";

const law = lawsOf(fc.record({ world: worlds, ranks: fc.infiniteStream(fc.nat()) }), 32);

law(
  "after an apply in which desired wins a plan is empty, with the same base and with a new one",
  ({ world }) => {
    const next = after(world, planOf(world, "desired"));
    expect(planOf(next, "desired").changes.filter((change) => !fillsWhatFell(world, change))).toEqual([]);
    const renewed = planOf({ ...next, base: world.desired });
    expect(renewed.changes.filter((change) => !fillsWhatFell(world, change))).toEqual([]);
  },
);

law("after an apply in which live wins only the conflicts that were held back are left", ({ world }) => {
  const plan = planOf(world, "live");
  const deleted = deletedIn(world);
  const held = heldBackIn(plan.changes).filter(
    (change) => !("before" in change && falls(change.before, deleted)),
  );
  const again = planOf(after(world, plan), "live");
  const left = again.changes.filter((change) => !fillsWhatFell(world, change));
  // What is above may have moved.
  expect(left.map(withoutAbove)).toEqual(held.map(withoutAbove));
});

law("the order in which everything is given changes neither plan nor digest", ({ world, ranks }) => {
  const { digest, ...plan } = planOf(world);
  const { digest: same, ...again } = planOf(shuffledWorld(world, ranks));
  expect(again).toEqual(plan);
  expect(same).toBe(digest);
});

function withoutAbove({ above: _, ...change }: Change): object {
  return change;
}

type Ranks = fc.Stream<number>;

function shuffledWorld(world: World, ranks: Ranks): World {
  const { desired, base, live, groupsOf, external, ignore } = world;
  return {
    ...world,
    desired: shuffledDeclared(desired, ranks),
    base: base && shuffledDeclared(base, ranks),
    // The order of a dataset's columns is its schema's: candidates are named in it.
    live: new Map(shuffled([...live], ranks)),
    groupsOf: shuffledMap(groupsOf, ranks, (those) => new Set(shuffled([...those], ranks))),
    external: new Set(shuffled([...external], ranks)),
    ignore: shuffled(ignore, ranks),
  };
}

function shuffledDeclared({ state }: Declared, ranks: Ranks): Declared {
  return { state: shuffledState(state, ranks) };
}

function shuffledState(state: State, ranks: Ranks): State {
  return shuffledMap(state, ranks, (entity): Entity => {
    return { ...entity, facets: shuffledMap(entity.facets, ranks, (value) => shuffledColumns(value, ranks)) };
  });
}

function shuffledColumns(value: FacetValue, ranks: Ranks): FacetValue {
  return value.shape === "map"
    ? { ...value, entries: shuffledMap(value.entries, ranks, (entry) => entry) }
    : value;
}

function shuffledMap<V>(map: ReadonlyMap<Urn, V>, ranks: Ranks, each: (value: V) => V): ReadonlyMap<Urn, V>;
function shuffledMap<V>(
  map: ReadonlyMap<string, V>,
  ranks: Ranks,
  each: (value: V) => V,
): ReadonlyMap<string, V>;
function shuffledMap<V>(
  map: ReadonlyMap<string, V>,
  ranks: Ranks,
  each: (value: V) => V,
): ReadonlyMap<string, V> {
  return new Map(shuffled([...map], ranks).map(([key, value]) => [key, each(value)]));
}

function shuffled<T>(items: readonly T[], ranks: Ranks): readonly T[] {
  return items
    .map((item) => ({ item, rank: ranks.next().value as number }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
