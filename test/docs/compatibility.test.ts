import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buildSchema } from "graphql";
import { expect, test } from "vitest";
import type { Results } from "../acceptance/acceptance.ts";
import { trials } from "../acceptance/trials/index.ts";
import { capabilities } from "../../src/facets/capabilities.ts";
import { capabilityTable, compatibilityTable, questionTable } from "./compatibility-table.ts";

const root = join(import.meta.dirname, "../..");
const mark = "<!-- generated: npm run test:update -->\n";
const [written = ""] = readFileSync(join(root, "docs/internals/compatibility.md"), "utf8").split(mark);
const names = trials.flatMap(({ tries }) => tries);

const releases = ["v0.13.1", "v1.0.0", "v1.4.0", "v1.7.0"];
const schemas = new Map(
  releases.map((release) => {
    const text = readFileSync(join(root, `test/contract/datahub-${release}.graphql`), "utf8");
    return [`schema ${release}`, buildSchema(text)];
  }),
);

const folder = join(root, "test/acceptance/results");
const tried = readdirSync(folder).map((file) => ({
  ...(JSON.parse(readFileSync(join(folder, file), "utf8")) as Results),
  server: basename(file, ".json").replaceAll("-", " "),
}));

/** A text with a table between the marks of a part. */
function withTable(text: string, part: string, table: string): string {
  const marks = new RegExp(`(<!-- ${part}, .*-->\\n)[\\s\\S]*(<!-- end of the ${part} -->\\n)`);
  return text.replace(marks, (_, begin: string, end: string) => `${begin}\n${table}\n${end}`);
}

test("the table of capabilities is that of the product", async () => {
  const page = readFileSync(join(root, "docs/compatibility.md"), "utf8");
  const text = withTable(page, "capabilities", capabilityTable(capabilities));
  await expect(text).toMatchFileSnapshot("../../docs/compatibility.md");
});

test("the tables of questions and of results are those of the product, and of the acceptance and its results", async () => {
  const text = withTable(written, "questions", questionTable(capabilities, schemas));
  const page = `${text}${mark}\n${compatibilityTable(names, schemas, tried)}`;
  await expect(page).toMatchFileSnapshot("../../docs/internals/compatibility.md");
});

test("the results with the local catalog are of everything that the acceptance tries", () => {
  const local = tried.find(({ server }) => server === "local catalog");
  // npm run test:acceptance -- --results test/acceptance/results/local-catalog.json
  expect(local?.rows.map(({ name }) => name)).toEqual(names);
});
