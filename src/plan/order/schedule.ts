/** Divides operations into chunks. The operations in a chunk are rechecked and sent together. */

import { facetNamed } from "../../facets/index.ts";
import { appendTo } from "../../model/append.ts";
import { isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Operation } from "../../model/operation.ts";
import { isDeletion } from "../base/changes.ts";

/** Operations that are rechecked together and then sent. */
export interface Chunk {
  /** The steps, in sequence. Operations in the same step do not depend on each other. */
  readonly steps: readonly (readonly Operation[])[];
  /** The positions of the preceding chunks in the schedule. */
  readonly after: readonly number[];
}

/**
 * Divides operations into chunks of at most `size` entities. Each operation follows its dependencies. If an entity is
 * independent, all its operations are in one chunk.
 */
export function scheduleOf(operations: readonly Operation[], size: number): readonly Chunk[] {
  const waveOf = wavesOf(operations);
  const portions = portionsIn(operations, waveOf, size);
  const stepOf = stepsOf(operations, waveOf);
  const chunkOf = new Map(portions.flatMap((own, chunk) => own.map(({ id }) => [id, chunk])));
  return portions.map((own, chunk) => {
    const before = own.flatMap(({ after }) => after.map((id) => chunkOf.get(id) ?? chunk));
    const waves = [...groupBy(own, ({ id }) => waveOf.get(id) ?? 0)].toSorted(([a], [b]) => a - b);
    // Operations are in dependency order, so the groups are already in step order.
    const steps = waves.flatMap(([, wave]) => [...groupBy(wave, ({ id }) => stepOf.get(id) ?? 0).values()]);
    return { steps, after: [...new Set(before)].filter((other) => other !== chunk) };
  });
}

type Numbers = ReadonlyMap<string, number>;

/** Divides operations into chunks, wave by wave. All operations of an entity in a wave are kept together. */
function portionsIn(
  operations: readonly Operation[],
  waveOf: Numbers,
  size: number,
): readonly (readonly Operation[])[] {
  const waves = [...groupBy(operations, ({ id }) => waveOf.get(id) ?? 0)].toSorted(([a], [b]) => a - b);
  const portions: Operation[][] = [];
  let entities = new Set<string>();
  for (const [entity, own] of waves.flatMap(([, wave]) => readTogether(groupBy(wave, entityOf)))) {
    const open = portions.at(-1);
    if (open && (entities.has(entity) || entities.size < size)) appendTo(open, own);
    else {
      portions.push([...own]);
      entities = new Set();
    }
    entities.add(entity);
  }
  const place = new Map(operations.map(({ id }, index) => [id, index]));
  return portions.map((own) => own.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0)));
}

/** Places entities that are read by the same query next to each other, which reduces the number of queries for a chunk. */
function readTogether(
  entities: ReadonlyMap<string, readonly Operation[]>,
): readonly (readonly [string, readonly Operation[]])[] {
  const all = [...entities];
  return [
    ...all.filter(([, own]) => !own.some(isReadApart)),
    ...all.filter(([, own]) => own.some(isReadApart)),
  ];
}

function isReadApart({ changes }: Operation): boolean {
  return changes.some((change) => isFacetChange(change) && facetNamed(change.facet).readWhenDeclared);
}

/**
 * Returns each operation's wave: the length of the longest chain of entities that the operation waits for. All operations of an
 * entity are in the same wave if no other entity waits for it.
 */
function wavesOf(operations: readonly Operation[]): Numbers {
  const entities = new Map(operations.map((operation) => [operation.id, entityOf(operation)]));
  const waves = new Map<string, number>();
  const wave = (operation: Operation): void => {
    const own = entities.get(operation.id);
    // Some dependencies may already have been completed.
    const before = operation.after
      .filter((id) => entities.has(id))
      .map((id) => (waves.get(id) ?? 0) + (entities.get(id) === own ? 0 : 1));
    waves.set(operation.id, largest(before));
  };
  const writes = operations.filter((operation) => !isDeletion(operation));
  for (const operation of writes) wave(operation);
  const awaited = new Set(
    writes.flatMap((operation) =>
      operation.after
        .flatMap((id) => entities.get(id) ?? [])
        .filter((entity) => entity !== entityOf(operation)),
    ),
  );
  for (const [entity, own] of groupBy(writes, entityOf)) {
    const last = largest(own.map(({ id }) => waves.get(id) ?? 0));
    if (!awaited.has(entity)) for (const { id } of own) waves.set(id, last);
  }
  for (const operation of operations.filter(isDeletion)) wave(operation);
  return waves;
}

/** Returns each operation's step: the length of the longest chain of operations in the same wave that the operation waits for. */
function stepsOf(operations: readonly Operation[], waveOf: Numbers): Numbers {
  const steps = new Map<string, number>();
  for (const { id, after } of operations) {
    const before = after.filter((other) => waveOf.get(other) === waveOf.get(id));
    steps.set(id, largest(before.map((other) => (steps.get(other) ?? 0) + 1)));
  }
  return steps;
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), 0);
}

function entityOf({ changes: [change] }: Operation): string {
  return change?.urn ?? "";
}
