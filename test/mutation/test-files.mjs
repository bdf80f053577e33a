import { readdirSync } from "node:fs";

// A mutant ends with the first test that fails, so what is quick comes first.
const core = [
  "test/facets/",
  "test/plan/",
  "test/contract/contracts.test.ts",
  "test/manifests/schema/schema.test.ts",
  "test/laws/",
];

// What takes seconds and goes through a catalog finds no mutant of the pure core that the others miss.
const slow = new Set([
  "test/plan/speed.test.ts",
  ...["export", "left-to-rules", "over-http", "pull", "rules-over-http"].map(
    (name) => `test/laws/${name}.test.ts`,
  ),
]);

const withCatalog = [
  "test/run/",
  "test/contract/documents.test.ts",
  ...[
    "explain-names",
    "explain-edges",
    "references-of-absent",
    "column-entities",
    "partial-failures",
    "failures",
    "proof",
    "narrowing",
    "overlapping-writes",
    "lost-answers",
    "interruption",
    "conditional-writes",
    "patches",
    "snapshot",
    "part",
    "deep-aspects",
    "unmanaged",
    "rules",
    "left-to-rules",
    "comeback",
    "index-lag",
    "stale",
    "stale-deletions",
    "created-again",
    "definitions",
    "prune-references",
    "cut-off-creations",
    "edits-meanwhile",
    "shards",
    "prune",
  ].map((name) => `test/cli/${name}.test.ts`),
  "test/scenarios.test.ts",
];

/** The tests of the files to mutate: those of the pure core and of the schemas that facets make, and those with a catalog. */
export function testFiles(mutated) {
  return [...(mutated.every(isOfRun) ? [] : coreFiles()), ...(mutated.some(isOfRun) ? serverFiles() : [])];
}

/** The tests that show what is wrong with a file of `src`, the quick ones first. */
export function testFilesFor(source) {
  return isOfRun(source) ? serverFiles() : coreFiles();
}

function isOfRun(source) {
  return source.includes("src/run/");
}

function coreFiles() {
  return core.flatMap(testsAt).filter((file) => !slow.has(file));
}

function serverFiles() {
  return withCatalog.flatMap(testsAt);
}

function testsAt(place) {
  if (!place.endsWith("/")) return [place];
  const names = readdirSync(place, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => place + name)
    .toSorted();
}
