import type { Operation } from "../model/operation.ts";
import { chunks } from "./chunks.ts";

/** Requests that are sent one after the other; a request is a list of operations. */
export type Lane = readonly (readonly Operation[])[];

/**
 * Packs operations into requests of at most `size`, and these into lanes. Every entity is written in one lane only,
 * so lanes can run side by side; an entity with more operations than fit has a lane of several requests.
 */
export function lanesOf(operations: readonly Operation[], size: number): readonly Lane[] {
  const lanes: Lane[] = [];
  let open: Operation[] = [];
  for (const own of byEntity(operations)) {
    if (own.length > size) {
      lanes.push(chunks(own, size));
      continue;
    }
    if (open.length + own.length > size) {
      lanes.push([open]);
      open = [];
    }
    open.push(...own);
  }
  return open.length > 0 ? [...lanes, [open]] : lanes;
}

function byEntity(operations: readonly Operation[]): Iterable<readonly Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const own = groups.get(operation.writes);
    if (own) own.push(operation);
    else groups.set(operation.writes, [operation]);
  }
  return groups.values();
}
