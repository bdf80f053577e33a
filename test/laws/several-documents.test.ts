import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { joined, leafIn } from "../../src/model/place.ts";
import { type Change, isFacetChange, isSetChange } from "../../src/model/change.ts";
import { entitiesOf } from "../../src/manifests/documents/entities.ts";
import type { Origin } from "../../src/model/origin.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Modes } from "../../src/model/settings.ts";
import { type Entity, type FacetValue, setOf, type State } from "../../src/model/state.ts";
import { forAll } from "./law.ts";
import { planOf, worlds } from "./worlds.ts";
import { counted } from "../support/runs.ts";
import type { Declaration } from "../../src/model/declaration.ts";
import { valueKey } from "../../src/model/values.ts";

test(
  "a plan is the same whether an entity is declared in one document or in many, but for its places",
  counted,
  () => {
    forAll(fc.tuple(worlds, fc.infiniteStream(fc.nat())), 48, ([world, draws]) => {
      const { desired, base } = world;
      const split = splitUp(desired.state, draws);
      const plan = planOf({
        ...world,
        desired: { state: split },
        base: base && { state: splitUp(base.state, draws) },
      });
      expect(withoutPlaces(plan)).toEqual(withoutPlaces(planOf(world)));
      expect(plan.changes.flatMap((change) => misplaced(change, split))).toEqual([]);
    });
  },
);

/** A plan without places, and its problems in an order that does not depend on them. */
function withoutPlaces(plan: Plan): unknown {
  const isPlace = (key: string): boolean => ["source", "origin", "related"].includes(key);
  const text = JSON.stringify(plan, (key, value: unknown) => (isPlace(key) ? undefined : value));
  const { problems = [], ...rest } = JSON.parse(text) as Plan;
  return { ...rest, problems: problems.map((each) => JSON.stringify(each)).toSorted() };
}

/** A change that names another document than one that declares the first value that it adds. */
function misplaced(change: Change, split: State): readonly unknown[] {
  if (!isFacetChange(change) || !isSetChange(change)) return [];
  const { by = [] } = leafIn(split.get(change.urn), change) ?? {};
  const [first] = change.add;
  const own = by.filter(
    ({ values }) => first !== undefined && values.map(valueKey).includes(valueKey(first)),
  );
  const isRight = own.length === 0 || own.some(({ origin }) => isDeepStrictEqual(origin, change.source));
  return isRight ? [] : [{ change, own }];
}

function splitUp(state: State, draws: fc.Stream<number>): State {
  const next = (): number => draws.next().value as number;
  const declarations = [...state.values()].flatMap((entity) => documentsOf(entity, next));
  const shuffled = declarations
    .map((declaration) => ({ declaration, rank: next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ declaration }) => declaration);
  const { state: found, used, problems } = entitiesOf(shuffled);
  expect(problems).toEqual([]);
  expect([...used]).toHaveLength(declarations.length);
  return found;
}

/** Up to four documents, among which facets, columns, elements and modes are drawn. */
function documentsOf(entity: Entity, next: () => number): readonly Declaration[] {
  const documents = Array.from({ length: 1 + (next() % 4) }, () => new Map<string, FacetValue>());
  const put = (facet: string, { document, value }: Piece): void => {
    const facets = documents[document] ?? new Map<string, FacetValue>();
    const before = facets.get(facet);
    facets.set(
      facet,
      joined(before, value, (_, leaf) => leaf),
    );
  };
  const pieces = (value: FacetValue): readonly Piece[] => piecesOf(value, documents.length, next);
  for (const [facet, value] of entity.facets) for (const piece of pieces(value)) put(facet, piece);
  const modes = Object.entries(entity.manage ?? {}).map(
    (given) => [next() % documents.length, given] as const,
  );
  return documents.map((facets, index) => {
    const manage: Modes = Object.fromEntries(modes.flatMap(([at, given]) => (at === index ? [given] : [])));
    const modePlaces = new Map(Object.keys(manage).map((facet) => [facet, originOf(index)]));
    return { entity: { ...entity, facets, manage, modePlaces }, references: [], inline: false };
  });
}

interface Piece {
  readonly document: number;
  readonly value: FacetValue;
}

/** A value in one document or in two, and of a set each element in one of them or in both. */
function piecesOf(value: FacetValue, documents: number, next: () => number): readonly Piece[] {
  const drawn = [...new Set([next() % documents, next() % documents])];
  if (value.shape === "map" && value.entries.size > 0) {
    return [...value.entries].flatMap(([column, entry]) =>
      piecesOf(entry, documents, next).map((piece) => ({
        ...piece,
        value: { shape: "map" as const, entries: new Map([[column, piece.value]]) },
      })),
    );
  }
  if (value.shape !== "set") return drawn.map((document) => ({ document, value }));
  const choices = value.members.map((member) => ({ member, choice: next() % 3 }));
  return drawn.map((document, index) => {
    const own = choices.filter(({ choice }) => drawn.length === 1 || choice !== index);
    return {
      document,
      value: setOf(
        own.map(({ member }) => member),
        originOf(document),
      ),
    };
  });
}

function originOf(document: number): Origin {
  return { file: `catalog/part-${document}.yaml`, line: 1, column: 1 };
}
