import { join } from "node:path";
import { expect, test } from "vitest";
import { readBase } from "../../../src/workflow/scope/history.ts";
import { loadManifests, openRepository } from "../../../src/workflow/scope/repository.ts";
import { type TestRepository, testRepository } from "../../support/git-repository.ts";
import { tag } from "../../support/history.ts";

const file = "catalog/datahub-gitops.yaml";

/** Settings with one environment of these files. */
const withProd = (...paths: readonly string[]): string =>
  `version: 1\nenvironments: { prod: { paths: ${JSON.stringify(paths)} } }\n`;

const onlyDev = "version: 1\nenvironments: { dev: {} }\n";

/** The first commit of a repository, with tags in two folders. */
function begun(settings: Readonly<Record<string, string>>): TestRepository & { readonly first: string } {
  const repository = testRepository();
  const first = repository.commit({
    ...settings,
    "catalog/a/one.yaml": tag("a1"),
    "catalog/a/two.yaml": tag("a2"),
    "catalog/b/one.yaml": tag("b1"),
  });
  return { ...repository, first };
}

/** The ids of what was declared before in the environment `prod`, or why that is not known. */
async function before(
  { root: cwd, first }: { readonly root: string; readonly first: string },
  settingsFile?: string,
): Promise<readonly string[]> {
  const repository = await openRepository({ cwd, directory: "catalog", settingsFile, environment: "prod" });
  const declared = await loadManifests(repository);
  const base = await readBase(first, {
    root: join(cwd, "catalog"),
    cwd,
    settings: settingsFile,
    environment: "prod",
    declared,
  });
  if ("reason" in base) return [base.reason.code];
  return [...base.before.keys()].map((urn) => urn.replace("urn:li:tag:", "")).toSorted();
}

test("the files of an environment that are declared before are those of its part", async () => {
  const repository = begun({ [file]: withProd("a/*") });
  repository.commit({ "catalog/a/one.yaml": undefined, "catalog/b/two.yaml": tag("b2") });

  expect(await before(repository)).toEqual(["a1", "a2"]);
});

test("a file that came into an environment and left it again was declared there, as it stood meanwhile", async () => {
  const repository = begun({ [file]: withProd("a/*") });
  repository.commit({ "catalog/b/one.yaml": tag("b-early") });
  repository.commit({ [file]: withProd("a/*", "b/*"), "catalog/b/one.yaml": tag("b-meanwhile") });
  repository.commit({ [file]: withProd("a/*") });
  repository.commit({ "catalog/b/one.yaml": tag("b-late") });

  expect(await before(repository)).toEqual(["a1", "a2", "b-meanwhile"]);
});

test("a file that comes in without being changed was declared from then on", async () => {
  const repository = begun({ [file]: withProd("a/*") });
  repository.commit({ [file]: withProd("b/*") });
  repository.commit({ "catalog/b/one.yaml": tag("b-new") });

  expect(await before(repository)).toEqual(["a1", "a2", "b-new", "b1"]);
});

test("before there were environments, everything was declared by the one ref", async () => {
  const repository = begun({ [file]: "version: 1\n" });
  repository.commit({ [file]: withProd("a/*") });
  repository.commit({ "catalog/b/two.yaml": tag("b2") });

  expect(await before(repository)).toEqual(["a1", "a2", "b1"]);
  const bare = begun({});
  bare.commit({ [file]: withProd("a/*") });
  expect(await before(bare)).toEqual(["a1", "a2", "b1"]);
});

test.each([
  ["lack the environment", onlyDev],
  ["are not valid", "version: 1\nenvironments: { prod: { pats: [a] } }\n"],
])("what the base declared is not known where its settings %s", async (_, settings) => {
  const repository = begun({ [file]: settings });
  repository.commit({ [file]: withProd("a/*") });

  expect(await before(repository)).toEqual(["base-without-environment"]);
});

test.each([
  ["lack the environment", onlyDev],
  ["are not valid", "version: 1\nenvironments: []\n"],
])("a commit whose settings %s declares nothing there", async (_, settings) => {
  const repository = begun({ [file]: withProd("a/*") });
  repository.commit({ [file]: settings, "catalog/a/three.yaml": tag("a3") });
  repository.commit({ "catalog/a/three.yaml": undefined, "catalog/a/four.yaml": tag("a4") });
  repository.commit({ [file]: withProd("a/*") });
  repository.write({ "catalog/a/four.yaml": undefined });

  expect(await before(repository)).toEqual(["a1", "a2", "a4"]);
});

test("settings outside of the catalog directory decide as well", async () => {
  const repository = begun({ "settings.yaml": withProd("a/*") });
  repository.commit({ "settings.yaml": withProd("b/*") });

  expect(await before(repository, "settings.yaml")).toEqual(["a1", "a2", "b1"]);
});

test("a file that is broken in a part of another environment does not make the base unknown", async () => {
  const repository = begun({ [file]: withProd("a/*"), "catalog/b/two.yaml": "kind: [" });
  repository.commit({ "catalog/b/two.yaml": tag("b2") });

  expect(await before(repository)).toEqual(["a1", "a2"]);
});
