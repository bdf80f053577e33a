import { readdirSync } from "node:fs";

// A mutant ends with the first test that fails, so what is quick comes first.
const places = [
  "test/facets/",
  "test/plan/",
  "test/contract/contracts.test.ts",
  "test/manifests/schema/schema.test.ts",
  "test/laws/",
];

// What takes seconds and goes through a catalog finds no mutant that the others miss.
const slow = new Set([
  "test/plan/speed.test.ts",
  ...["export", "left-to-rules", "over-http", "pull", "rules-over-http"].map(
    (name) => `test/laws/${name}.test.ts`,
  ),
]);

/** The tests of the pure core, and of the schemas that facets make, the quick ones first. They need no catalog. */
export function testFiles() {
  return places
    .flatMap((place) => (place.endsWith("/") ? testsBelow(place) : [place]))
    .filter((file) => !slow.has(file));
}

function testsBelow(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => folder + name)
    .toSorted();
}
