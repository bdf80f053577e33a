import { readdirSync } from "node:fs";

const stages = {
  /** Milliseconds each, or through a catalog that is not asked for much. */
  quick: [
    "test/facets/",
    "test/contract/contracts.test.ts",
    "test/manifests/schema/schema.test.ts",
    "test/manifests/rules.test.ts",
    "test/manifests/several-documents.test.ts",
    "test/manifests/manage.test.ts",
    "test/report/",
    "test/plan/",
    "test/sync/",
    "test/laws/",
  ],
  /** Through a catalog, from the command line on. */
  wide: ["test/contract/documents.test.ts", "test/scenarios.test.ts", "test/workflow/", "test/cli/"],
};

const leftOut = [
  /\.long\.test\.ts$/,
  // It compares times.
  /plan\/speed/,
  // They take seconds, and the stories find what they find.
  /laws\/(export|left-to-rules|over-http|pull|rules-over-http)/,
  // What the runner cannot run: what starts processes, waits while it is loaded, reads files beside `src`, `test` and
  // `schemas`, or has expected results in the test.
  /report\/(checks\/|page\/|problems\.)/,
  /cli\/(run\/doctor\/check-workflows|doctor|export|fmt|hostile-files|import|init|process|program|proxies|read-only|sources|start-up)\./,
];

/** The tests of a stage, or those chosen instead, in the order in which they are run. */
export function testFiles(stage) {
  return filesAt(process.env["MUTATION_TESTS"]?.split(" ") ?? stages[stage]);
}

/** The same, those of the same folder and name as a file of `src` before the others. */
export function nearestFirst(files, source) {
  return files.toSorted((a, b) => sharedPath(source, b) - sharedPath(source, a));
}

/** How much of the path below `src` and `test` is the same. */
function sharedPath(source, test) {
  const [a, b] = [source.replace(/^.*\/src\//, ""), test.replace(/^test\//, "")].map((path) =>
    path.split(/[/.]/),
  );
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs === -1 ? a.length : differs;
}

function filesAt(places) {
  return places.flatMap(testsAt).filter((file) => !leftOut.some((pattern) => pattern.test(file)));
}

function testsAt(place) {
  if (!place.endsWith("/")) return [place];
  const names = readdirSync(place, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => place + name)
    .toSorted();
}
