import fc from "fast-check";
import { describe, expect } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { facetsOf } from "../../../src/facets/index.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { Kind } from "../../../src/kinds/kind.ts";
import { isUrn, type Urn } from "../../../src/model/urn.ts";
import { aboveNewParent } from "../../../src/plan/base/ancestors.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import { scheduleOf } from "../../../src/plan/order/schedule.ts";
import { cyclesFrom } from "../../../src/plan/base/parents.ts";
import { lawsOf } from "../../laws/law.ts";
import { planOf as planOfStates } from "../../laws/plan-of.ts";
import { desiredStates, liveStates, urn } from "../../support/states.ts";

type Parents = ReadonlyMap<Urn, Urn | null>;

/** The kinds whose entities may be below others of them. */
const treeKinds = kinds.filter(({ name, entityType, parentFacet }) =>
  facetsOf(name).some((facet) => facet.name === parentFacet && facet.refersTo.includes(entityType)),
);

function entitiesOf({ entityType }: Kind): readonly Urn[] {
  return Array.from({ length: 9 }, (_, index) => urn(`urn:li:${entityType}:${index}`));
}

/** A forest: each entity, in a drawn order, is at the top or below one before it. */
function forestsOf(all: readonly Urn[]): fc.Arbitrary<Parents> {
  return fc
    .tuple(
      fc.shuffledSubarray([...all], { minLength: all.length }),
      fc.array(fc.nat(), { minLength: all.length, maxLength: all.length }),
    )
    .map(
      ([order, picks]) =>
        new Map(order.map((of, index) => [of, picked(order.slice(0, index), picks[index])])),
    );
}

function picked(before: readonly Urn[], pick = 0): Urn | null {
  return [null, ...before][pick % (before.length + 1)] ?? null;
}

interface Trees {
  /** The parents in the catalog, of the entities that are there. */
  readonly live: Parents;
  readonly desired: Parents;
  readonly changes: readonly Change[];
}

/** Any forest that becomes any other. Some entities are new, and some are not declared: they stay where they are. */
function treesOfKind(kind: Kind): fc.Arbitrary<Trees> {
  const all = entitiesOf(kind);
  const some = fc.subarray([...all]);
  return fc
    .tuple(forestsOf(all), forestsOf(all), some, some)
    .map(([before, wanted, fresh, undeclared]) =>
      treesOf(kind, before, wanted, new Set(fresh), new Set(undeclared)),
    )
    .filter(({ desired }) => cyclesIn(desired).length === 0);
}

function treesOf(
  kind: Kind,
  before: Parents,
  wanted: Parents,
  fresh: ReadonlySet<Urn>,
  undeclared: ReadonlySet<Urn>,
): Trees {
  const isThere = (of: Urn | null): boolean => of === null || !fresh.has(of);
  const live = new Map(
    [...before].filter(([of]) => isThere(of)).map(([of, parent]) => [of, isThere(parent) ? parent : null]),
  );
  const desired = new Map(live);
  for (const [of, parent] of wanted) if (fresh.has(of) || !undeclared.has(of)) desired.set(of, parent);
  const changes = entitiesOf(kind).flatMap((of): readonly Change[] => {
    const after = desired.get(of) ?? null;
    const about = { kind: kind.name, urn: of, facet: kind.parentFacet ?? "", fingerprint: "" } as const;
    if (!live.has(of)) return [{ ...about, action: "create", shape: "scalar", before: null, after }];
    if (live.get(of) === after) return [];
    return [{ ...about, action: "update", shape: "scalar", before: live.get(of) ?? null, after }];
  });
  const liveParentOf = (of: Urn): Urn | undefined => live.get(of) ?? undefined;
  const withAbove = changes.map((change) => {
    const above = aboveNewParent(change, liveParentOf);
    return above.length > 0 ? { ...change, above } : change;
  });
  return { live, desired, changes: withAbove };
}

function cyclesIn(parents: Parents): readonly (readonly Urn[])[] {
  return cyclesFrom(parents.keys(), (of) => parents.get(of) ?? undefined);
}

/** A run in some order in which the operations may be sent, of which some fail: after each one what was applied. */
function runOf(operations: readonly Operation[], draw: fc.Stream<number>): readonly (readonly Operation[])[] {
  const settled = new Set<string>();
  const applied = new Map<string, Operation>();
  const states: (readonly Operation[])[] = [[]];
  while (settled.size < operations.length) {
    const due = operations.filter(
      ({ id, after }) => !settled.has(id) && after.every((before) => settled.has(before)),
    );
    if (due.length === 0) throw new Error("operations wait for each other");
    const next = due[(draw.next().value as number) % due.length] as Operation;
    settled.add(next.id);
    const isHeld = next.after.some((before) => !applied.has(before));
    const fails = (draw.next().value as number) % 5 === 0;
    if (!isHeld && !fails) applied.set(next.id, next);
    states.push([...applied.values()]);
  }
  return states;
}

/** The parents once some operations were applied. */
function parentsAfter(live: Parents, applied: readonly Operation[]): Parents {
  const parents = new Map(live);
  for (const { changes } of applied) {
    for (const change of changes) {
      if (change.shape !== "scalar") continue;
      parents.set(change.urn, isUrn(change.after) ? change.after : null);
    }
  }
  return parents;
}

const sizes = fc.integer({ min: 1, max: 4 });

describe.each(treeKinds)("of $plural that move", (kind) => {
  const law = lawsOf(
    fc.record({ of: treesOfKind(kind), draw: fc.infiniteStream(fc.nat()), size: sizes }),
    80,
  );

  law(
    "no order in which they may be written passes through a circle or below one that is not there, whatever fails",
    ({ of: { live, changes }, draw }) => {
      for (const applied of runOf(operationsOf({ changes }), draw)) {
        const parents = parentsAfter(live, applied);
        const gone = [...parents.values()].filter((parent) => parent !== null && !parents.has(parent));
        expect([...cyclesIn(parents), ...gone]).toEqual([]);
      }
    },
  );

  law("when nothing fails they are where the plan wants them", ({ of: { live, desired, changes } }) => {
    const operations = operationsOf({ changes });
    expect(parentsAfter(live, operations)).toEqual(desired);
  });

  law("a schedule of moves has each move once, behind those it comes after", ({ of: { changes }, size }) =>
    expectSchedule(operationsOf({ changes }), size),
  );
});

const plans = fc.tuple(desiredStates, liveStates).map(([desired, live]) => {
  const plan = planOfStates(desired, live);
  return { plan, operations: operationsOf(plan) };
});

describe("of any changes", () => {
  const law = lawsOf(fc.record({ of: plans, size: sizes }), 80);

  law("an operation stands behind those it comes after, each of which is there", ({ of: { operations } }) => {
    const before = new Set<string>();
    for (const { id, after } of operations) {
      if (after.length > 0) expect(after.filter((other) => !before.has(other))).toEqual([]);
      before.add(id);
    }
  });

  law("what names an entity that is created or restored comes after it", ({ of: { plan, operations } }) => {
    const fresh = new Set(
      plan.changes.flatMap(({ action, facet, urn: of }) =>
        action === "create" || facet === "removed" ? [of] : [],
      ),
    );
    for (const operation of operations) {
      const own = operation.changes[0]?.urn;
      const named = JSON.stringify(
        operation.request.type === "mutation" ? operation.request.args : operation.request.set,
      );
      for (const of of fresh) {
        if (of === own || operation.removes || !named.includes(`"${of}"`)) continue;
        const urns = allBefore(operation, operations).map(({ changes }) => changes[0]?.urn);
        expect(urns).toContain(of);
      }
    }
  });

  law("what takes from a set comes after all that is added to it", ({ of: { operations } }) => {
    for (const removal of operations.filter(({ removes }) => removes)) {
      const additions = operations.filter(({ adds, changes }) => adds && changes[0] === removal.changes[0]);
      expect(additions.filter(({ id }) => !removal.after.includes(id))).toEqual([]);
    }
  });

  law(
    "a schedule holds each operation once, behind those it comes after, and no chunk has too many entities",
    ({ of: { operations }, size }) => expectSchedule(operations, size),
  );

  law("an entity that no other waits for is in one chunk", ({ of: { operations }, size }) => {
    const chunksOf = new Map<string, Set<number>>();
    scheduleOf(operations, size).forEach(({ steps }, chunk) => {
      for (const { changes } of steps.flat()) {
        const [change] = changes;
        if (change?.kind !== "Dataset") continue;
        chunksOf.set(change.urn, (chunksOf.get(change.urn) ?? new Set()).add(chunk));
      }
    });
    expect([...chunksOf].filter(([, chunks]) => chunks.size > 1)).toEqual([]);
  });
});

function allBefore(operation: Operation, operations: readonly Operation[]): readonly Operation[] {
  const direct = operations.filter(({ id }) => operation.after.includes(id));
  return [...direct, ...direct.flatMap((before) => allBefore(before, operations))];
}

function expectSchedule(operations: readonly Operation[], size: number): void {
  const schedule = scheduleOf(operations, size);
  const places = new Map<string, readonly [number, number]>();
  schedule.forEach(({ steps, after }, chunk) => {
    const entities = new Set(steps.flat().map(({ changes }) => changes[0]?.urn));
    const isEarly = after.some((before) => before >= chunk);
    expect({ isEarly, hasTooMany: entities.size > size }).toEqual({ isEarly: false, hasTooMany: false });
    steps.forEach((step, index) => {
      for (const { id } of step) places.set(id, [chunk, index]);
    });
  });
  expect(schedule.flatMap(({ steps }) => steps.flat())).toHaveLength(operations.length);
  expect(places.size).toBe(operations.length);
  const early = operations.filter(({ id, after }) => {
    const [chunk = 0, step = 0] = places.get(id) ?? [];
    return after.some((before) => {
      const [chunkBefore = 0, stepBefore = 0] = places.get(before) ?? [];
      return chunkBefore === chunk ? stepBefore >= step : !schedule[chunk]?.after.includes(chunkBefore);
    });
  });
  expect(early).toEqual([]);
}
