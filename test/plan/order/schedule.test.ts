import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { scheduleOf } from "../../../src/plan/order/schedule.ts";
import { datasetNamed } from "../../support/states.ts";

/** An operation of the entity that is named by the letter of its id. */
function operation(id: string, after: readonly string[] = [], facet = "tags"): Operation {
  const urn = datasetNamed(id.slice(0, 1));
  const about = { action: "update", kind: "Dataset", urn, fingerprint: "" } as const;
  const change: Change = { ...about, shape: "set", facet, add: [], remove: [] };
  const request = { type: "mutation", field: id, args: [] } as const;
  return { id, request, locks: [urn], after, changes: [change] };
}

/** One operation for the changes of two. */
function both(one: Operation, other: Operation): Operation {
  return { ...one, changes: [...one.changes, ...other.changes] };
}

function deletion(id: string, ...after: readonly string[]): Operation {
  const urn = datasetNamed(id.slice(0, 1));
  const change: Change = { action: "delete", shape: "entity", kind: "Dataset", urn, fingerprint: "" };
  return { ...operation(id, after), changes: [change] };
}

/** The chunks of a schedule by the ids of their operations: a step is a text. */
function chunksOf(operations: readonly Operation[], size: number): readonly unknown[] {
  return scheduleOf(operations, size).map(({ steps, after }) => ({
    steps: steps.map((step) => step.map(({ id }) => id).join(" ")),
    after,
  }));
}

const first = (...steps: readonly string[]): object => ({ steps, after: [] });
const then = (after: readonly number[], ...steps: readonly string[]): object => ({ steps, after });

test.each<readonly [string, number, readonly Operation[], readonly object[]]>([
  ["nothing makes no chunk", 2, [], []],
  [
    "a chunk has as many entities as it may, each with all of its operations, in their order",
    2,
    [operation("a1"), operation("b1"), operation("c1"), operation("a2"), operation("d1"), operation("e1")],
    [first("a1 b1 a2"), first("c1 d1"), first("e1")],
  ],
  [
    "what waits for another operation of its entity stands in a later step, behind the last of those it waits for",
    1,
    [
      operation("a1"),
      operation("a2", ["a1"]),
      operation("a3", ["a1"]),
      operation("a4", ["a3", "a1"]),
      operation("a5"),
    ],
    [first("a1 a5", "a2 a3", "a4")],
  ],
  [
    "what waits for another entity stands behind all that waits for none, in a later chunk",
    2,
    [operation("a1"), operation("b1", ["a1"]), operation("c1"), operation("d1", ["b1", "a1"])],
    [first("a1 c1"), then([0], "b1", "d1")],
  ],
  [
    "or where there is room in a later step",
    3,
    [operation("a1"), operation("b1", ["a1"]), operation("c1"), operation("d1", ["b1", "a1"])],
    [first("a1 c1", "b1"), then([0], "d1")],
  ],
  [
    "a chunk comes after each of the others that it waits for, once",
    1,
    [
      operation("a1"),
      operation("b1"),
      operation("c1", ["a1"]),
      operation("c2", ["b1"]),
      operation("c3", ["a1"]),
    ],
    [first("a1"), first("b1"), then([0, 1], "c1 c2 c3")],
  ],
  [
    "what was carried out before is not waited for",
    1,
    [operation("a2", ["a1"]), operation("b1", ["z1"]), operation("c1")],
    [first("a2"), first("b1"), first("c1")],
  ],
  [
    "an entity that no other waits for is written together, when all that it waits for is there",
    1,
    [operation("a1"), operation("b1"), operation("a2", ["a1", "b1"])],
    [first("b1"), then([0], "a1", "a2")],
  ],
  [
    "in the order of its steps, also where the first of its operations stands first",
    2,
    [operation("a1"), operation("b1"), operation("a2", ["b1"])],
    [first("b1", "a1 a2")],
  ],
  [
    "of an entity that others wait for each operation is written as soon as it can be",
    1,
    [operation("a1"), operation("b1"), operation("a2", ["b1"]), operation("c1", ["a1"])],
    [first("a1"), first("b1"), then([1], "a2"), then([0], "c1")],
  ],
  [
    "in a chunk that is full already, where that holds its entity",
    2,
    [operation("a1"), operation("b1"), operation("a2", ["b1"]), operation("c1", ["a1"])],
    [first("a1 b1", "a2"), then([0], "c1")],
  ],
  [
    "what waits for the last of several steps of others stands beside what waits for their first",
    9,
    [
      operation("a1"),
      operation("b1"),
      operation("a2", ["a1"]),
      operation("c1", ["a2"]),
      operation("d1", ["b1"]),
    ],
    [first("a1 b1", "a2", "c1 d1")],
  ],
  [
    "what is read with a query of its own comes after the others that wait for as many, as a whole",
    1,
    [
      operation("a1", [], "columns.tags"),
      operation("a2"),
      operation("b1"),
      operation("c1", ["b1"]),
      operation("d1"),
    ],
    [first("b1"), first("d1"), first("a1 a2"), then([0], "c1")],
  ],
  [
    "also where it is only one of the values that are written together",
    1,
    [both(operation("a1"), operation("a1", [], "columns.tags")), operation("b1")],
    [first("b1"), first("a1")],
  ],
  [
    "deletions wait for the others as they are written together, and one for the other",
    1,
    [
      operation("a1"),
      operation("b1"),
      operation("a2", ["b1"]),
      deletion("c1", "a1"),
      deletion("d1", "c1"),
      deletion("e1", "a1"),
    ],
    [first("b1"), then([0], "a1 a2"), then([1], "c1"), then([1], "e1"), then([2], "d1")],
  ],
])("%s", (_, size, operations, chunks) => {
  expect(chunksOf(operations, size)).toEqual(chunks);
});
