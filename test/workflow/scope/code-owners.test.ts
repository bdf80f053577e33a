import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeOwnersIn } from "../../../src/workflow/scope/code-owners.ts";
import { temporaryDirectory } from "../../support/catalog.ts";

function repositoryWith(text: string, place = "CODEOWNERS"): string {
  const root = temporaryDirectory();
  for (const dir of [".git", ".github", "docs", "catalog"]) mkdirSync(join(root, dir));
  writeFileSync(join(root, place), text);
  return root;
}

test.each<readonly [pattern: string, owned: readonly string[], others: readonly string[]]>([
  ["*", ["a.yaml", "catalog/a.yaml"], []],
  ["*.yaml", ["a.yaml", "catalog/x/a.yaml"], ["a.yml"]],
  ["catalog", ["catalog/a.yaml", "x/catalog/a.yaml", "catalog"], ["catalogs/a.yaml"]],
  ["/catalog/", ["catalog/a.yaml", "catalog/x/a.yaml"], ["x/catalog/a.yaml", "catalog"]],
  ["catalog/*", ["catalog/a.yaml"], ["catalog/x/a.yaml"]],
  ["catalog/policies*", ["catalog/policies.yaml", "catalog/policies/a.yaml"], ["catalog/a.yaml"]],
  ["/catalog/**/policies.yaml", ["catalog/policies.yaml", "catalog/x/y/policies.yaml"], ["policies.yaml"]],
  ["**/policies", ["policies/a.yaml", "x/policies/a.yaml"], ["policies.yaml"]],
])("%s", (pattern, owned, others) => {
  const ownersOf = codeOwnersIn(repositoryWith(`${pattern} @acme/gov ann@acme.com # both\n`));
  expect([...owned, ...others].filter((file) => ownersOf(file).length > 0)).toEqual(owned);
  expect(ownersOf(owned[0] ?? "")).toEqual(["@acme/gov", "ann@acme.com"]);
});

test("the last line that matches counts, also one without owners; files are named from the directory of the command", () => {
  const text = "# Governance\n\n[Section] @nobody\n^[Optional]\n* @all\n/catalog/ @gov\n/catalog/free.yaml\n";
  const root = repositoryWith(text, ".github/CODEOWNERS");
  const ownersOf = codeOwnersIn(join(root, "catalog"));
  expect(ownersOf("policies.yaml")).toEqual(["@gov"]);
  expect(ownersOf("../a.yaml")).toEqual(["@all"]);
  expect(ownersOf("free.yaml")).toEqual([]);
});

test("nothing belongs to anybody without the file, or without a repository", () => {
  expect(codeOwnersIn(temporaryDirectory())("a.yaml")).toEqual([]);
  expect(codeOwnersIn(repositoryWith("* @all", "docs/OTHER"))("a.yaml")).toEqual([]);
});
