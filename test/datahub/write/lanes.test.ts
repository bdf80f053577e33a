import fc from "fast-check";
import { expect, test } from "vitest";
import { lanesOf } from "../../../src/datahub/write/lanes.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { datasetNamed } from "../../support/states.ts";

const operations = fc.array(fc.constantFrom("a", "b", "c", "d", "e")).map((names) =>
  names.map((name, index): Operation => ({
    id: `${index}`,
    request: { type: "mutation", field: "unsetDomain", args: [] },
    lock: datasetNamed(name),
    phase: 0,
    needs: [],
    changes: [],
  })),
);

test("every operation is sent once, an entity's in one lane and in their order, no request above the size", () => {
  fc.assert(
    fc.property(operations, fc.integer({ min: 1, max: 4 }), (all, size) => {
      const lanes = lanesOf(all, size);
      expect(
        lanes
          .flat(2)
          .map(({ id }) => Number(id))
          .toSorted((a, b) => a - b),
      ).toEqual(all.map((_, index) => index));
      for (const request of lanes.flat()) expect(request.length).toBeLessThanOrEqual(size);
      const lanesByEntity = lanes.flatMap((lane, index) => [
        ...new Set(lane.flat().map(({ lock }) => `${lock} ${index}`)),
      ]);
      expect(lanesByEntity.length).toBe(new Set(all.map(({ lock }) => lock)).size);
      for (const lane of lanes) {
        for (const name of new Set(lane.flat().map(({ lock }) => lock))) {
          const ids = lane.flat().flatMap(({ id, lock }) => (lock === name ? [Number(id)] : []));
          expect(ids).toEqual(ids.toSorted((x, y) => x - y));
        }
      }
    }),
    { numRuns: 1000 },
  );
});

test("an entity with more operations than fit has requests that follow each other", () => {
  const many = Array.from({ length: 5 }, (_, index): Operation => ({
    id: `${index}`,
    request: { type: "mutation", field: "unsetDomain", args: [] },
    lock: datasetNamed("a"),
    phase: 0,
    needs: [],
    changes: [],
  }));
  expect(lanesOf(many, 2).map((lane) => lane.map((request) => request.length))).toEqual([[2, 2, 1]]);
});
