import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import { shardOf } from "../../src/plan/shard.ts";
import { datasetNamed, urn } from "../support/states.ts";

test("datasets and containers are spread evenly over the shards", () => {
  for (const of of [2, 3, 7, 16]) {
    const counts = Array.from({ length: of }, () => 0);
    for (let at = 0; at < 4000; at += 1) {
      for (const each of [datasetNamed(`db.schema.table_${at}`), urn(`urn:li:container:${at}`)]) {
        const place = shardOf(each, of) - 1;
        counts[place] = (counts[place] ?? 0) + 1;
      }
    }
    expect(counts).toHaveLength(of);
    for (const count of counts) expect(Math.abs(count / (8000 / of) - 1)).toBeLessThan(0.15);
  }
});

test("an entity is in the same shard on every machine and in every version", () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  expect(names.map((name) => shardOf(datasetNamed(name), 4))).toEqual([3, 4, 2, 4, 4, 1]);
});

test("all definitions are in the first shard", () => {
  const owned = kinds.filter(({ lifecycle }) => lifecycle === "owned");
  for (const { entityType } of owned)
    for (const id of ["a", "b", "c", "d"]) expect(shardOf(urn(`urn:li:${entityType}:${id}`), 9)).toBe(1);
});
