import { join } from "node:path";
import { expect, test } from "vitest";
import { limitOf } from "./accepted.mjs";
import { measuresOfWalks, walksOf } from "./walk.mjs";

test("no fact passes more files, functions and folders than accepted", async () => {
  const measures = Object.entries(measuresOfWalks(await walksOf(join(import.meta.dirname, "../.."))));

  // Where the calls are lost that note a fact, nothing would pass anything.
  expect(Math.min(...measures.map(([, value]) => value))).toBeGreaterThan(5);
  expect(measures.filter(([name, value]) => !(value <= (limitOf(name) ?? -1)))).toEqual([]);
});
