import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buildSchema } from "graphql";
import { expect, test } from "vitest";
import type { Results } from "../acceptance/acceptance.ts";
import { trials } from "../acceptance/trials/index.ts";
import { capabilities } from "../../src/facets/capabilities.ts";
import { capabilityTable, compatibilityTable } from "./compatibility-table.ts";

const root = join(import.meta.dirname, "../..");
const mark = "<!-- generated: npm run test:update -->\n";
const [written = ""] = readFileSync(join(root, "docs/compatibility.md"), "utf8").split(mark);
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

/** The text of the page with the table of capabilities between its marks. */
function withCapabilities(text: string): string {
  const marks = /(<!-- capabilities, .*-->\n)[\s\S]*(<!-- end of the capabilities -->\n)/;
  return text.replace(marks, (_, begin: string, end: string) => {
    return `${begin}\n${capabilityTable(capabilities, schemas)}\n${end}`;
  });
}

test("the tables of capabilities and of what was tried are those of the product, and of the acceptance and its results", async () => {
  const page = `${withCapabilities(written)}${mark}\n${compatibilityTable(names, schemas, tried)}`;
  await expect(page).toMatchFileSnapshot("../../docs/compatibility.md");
});

test("the results with the local catalog are of everything that the acceptance tries", () => {
  const local = tried.find(({ server }) => server === "local catalog");
  // npm run test:acceptance -- --results test/acceptance/results/local-catalog.json
  expect(local?.rows.map(({ name }) => name)).toEqual(names);
});
