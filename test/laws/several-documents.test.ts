import { declarationsOf } from "../../src/manifests/declarations.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Declaration } from "../../src/manifests/declaration.ts";
import { entitiesOf } from "../../src/manifests/entities.ts";
import type { Origin } from "../../src/model/origin.ts";
import type { Modes } from "../../src/model/settings.ts";
import type { Entity, FacetValue, State } from "../../src/model/state.ts";
import { forAll, patience } from "./law.ts";
import { planOf, worlds } from "./worlds.ts";

test(
  "a plan is the same whether an entity is declared in one document or in many, in any order",
  () => {
    forAll(fc.tuple(worlds, fc.infiniteStream(fc.nat())), ([world, draws]) => {
      const { desired, base } = world;
      const split = planOf({
        ...world,
        desired: { state: splitUp(desired.state, draws) },
        base: base && { state: splitUp(base.state, draws) },
      });
      const whole = planOf(world);
      expect(split).toEqual(whole);
    });
  },
  patience,
);

function splitUp(state: State, draws: fc.Stream<number>): State {
  const next = (): number => draws.next().value as number;
  const declarations = [...state.values()].flatMap((entity) => documentsOf(entity, next));
  const shuffled = declarations
    .map((declaration) => ({ declaration, rank: next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ declaration }) => declaration);
  const { state: found, used, problems } = entitiesOf(declarationsOf(shuffled));
  expect(problems).toEqual([]);
  expect([...used]).toHaveLength(declarations.length);
  return found;
}

/** Up to four documents, among which facets, columns and modes are drawn. */
function documentsOf(entity: Entity, next: () => number): readonly Declaration[] {
  const documents = Array.from({ length: 1 + (next() % 4) }, () => new Map<string, FacetValue>());
  const put = (facet: string, value: FacetValue): void => {
    const facets = documents[next() % documents.length] ?? new Map<string, FacetValue>();
    const before = facets.get(facet);
    const isMap = before?.shape === "map" && value.shape === "map";
    facets.set(facet, isMap ? { ...value, entries: new Map([...before.entries, ...value.entries]) } : value);
  };
  for (const [facet, value] of entity.facets) {
    if (value.shape !== "map" || value.entries.size === 0) put(facet, value);
    else for (const entry of value.entries) put(facet, { shape: "map", entries: new Map([entry]) });
  }
  const modes = Object.entries(entity.manage ?? {}).map(
    (given) => [next() % documents.length, given] as const,
  );
  return documents.map((facets, index) => {
    const manage: Modes = Object.fromEntries(modes.flatMap(([at, given]) => (at === index ? [given] : [])));
    const modePlaces = new Map(Object.keys(manage).map((facet) => [facet, originOf(index)]));
    return { entity: { ...entity, facets, manage, modePlaces }, references: [], inline: false };
  });
}

function originOf(document: number): Origin {
  return { file: `catalog/part-${document}.yaml`, line: 1, column: 1 };
}
