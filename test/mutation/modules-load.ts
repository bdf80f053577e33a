import { readdirSync } from "node:fs";
import { expect, test } from "vitest";

// A module that cannot be loaded fails whole files, and no test in them. Here it fails one.
const folders = ["../../src/facets/", "../../src/plan/"].map((path) => new URL(path, import.meta.url));
const modules = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => new URL(name, folder).pathname),
);

test.each(modules)("%s can be loaded", async (path) => {
  await expect(import(path)).resolves.toBeDefined();
});
