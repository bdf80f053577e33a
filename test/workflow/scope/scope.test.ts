import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defaultLimits } from "../../../src/plan/checks/guards/index.ts";
import { ManifestError, ScopeError } from "../../../src/workflow/scope/errors.ts";
import { policyOf } from "../../../src/workflow/scope/policy.ts";
import { openRepository } from "../../../src/workflow/scope/repository.ts";
import { readScope, type Scope } from "../../../src/workflow/scope/scope.ts";
import type { Selection } from "../../../src/workflow/scope/selection.ts";
import { type TestRepository, testRepository } from "../../support/git-repository.ts";
import { tag } from "../../support/history.ts";
import { inCatalog } from "../../support/site.ts";
import { urn } from "../../support/states.ts";

const appliedRef = "refs/datahub-gitops/applied";
const settings = `version: 1\nbase: ${appliedRef}\n`;
const settingsFile = "catalog/datahub-gitops.yaml";

type Files = Readonly<Record<string, string | undefined>>;

/** A repository whose files are those of `main`, and said to be applied, on a branch of its own. */
function onBranch(files: Files, text = settings): TestRepository {
  const repository = testRepository();
  repository.commit(inCatalog({ "datahub-gitops.yaml": text, ...files }));
  repository.git("update-ref", appliedRef, "HEAD");
  repository.git("checkout", "--quiet", "-b", "a-branch");
  return repository;
}

const three: Files = { "a.yaml": tag("a", "one"), "b.yaml": tag("b", "one"), "c.yaml": tag("c", "one") };
const since: Selection = { changedSince: "main" };

/** The scope of a repository, as `plan` and `apply` read it. */
async function scopeOf({ root: cwd }: TestRepository, selection = since, file?: string): Promise<Scope> {
  const location = { cwd, directory: "catalog", settingsFile: file };
  const repository = await openRepository(location, selection.changedSince);
  return await readScope({ repository, policy: policyOf(repository.settings), selection });
}

/** Why there is none. */
async function refusalOf(repository: TestRepository, selection = since): Promise<unknown> {
  const refused = await scopeOf(repository, selection).then(
    () => "not refused",
    (error: unknown) => error,
  );
  if (refused instanceof ScopeError) return refused.failure;
  return refused instanceof ManifestError ? refused.problems : refused;
}

function idsIn(urns: Iterable<string> | undefined): readonly string[] | undefined {
  return urns && [...urns].map((each) => each.split(":").at(-1) ?? "").toSorted();
}

const partOf = async (repository: TestRepository, selection = since) =>
  idsIn((await scopeOf(repository, selection)).policy.part);

describe("what has changed since a ref", () => {
  test("is what differs, is new or gone, committed or not, staged, untracked or ignored by git", async () => {
    const repository = onBranch({ ...three, "d.yaml": tag("d"), "e.yaml": tag("e") });
    repository.commit(inCatalog({ "a.yaml": tag("a", "two"), "b.yaml": undefined }));
    repository.write({ "catalog/c.yaml": tag("c", "two"), "catalog/new.yaml": tag("new") });
    repository.write({ ".git/info/exclude": "mine.yaml\n", "catalog/mine.yaml": tag("mine") });
    repository.git("add", "catalog/c.yaml");

    expect(await partOf(repository)).toEqual(["a", "b", "c", "mine", "new"]);
    expect(await partOf(repository, { changedSince: "HEAD" })).toEqual(["c", "mine", "new"]);
  });

  test("is not what only moved to another file, nor what the other branch got meanwhile", async () => {
    const repository = onBranch(three);
    repository.move("catalog/a.yaml", "catalog/moved.yaml");
    repository.commit({ "catalog/b.yaml": tag("b", "two") });
    repository.git("checkout", "--quiet", "main");
    repository.commit({ "catalog/c.yaml": tag("c", "two") });
    repository.git("checkout", "--quiet", "a-branch");

    expect(await partOf(repository)).toEqual(["b"]);
  });

  test("is nothing where no manifest has", async () => {
    const repository = onBranch(three);
    repository.commit({ "README.md": "words", [settingsFile]: `# why\n${settings}` });

    expect(await scopeOf(repository)).toMatchObject({ policy: { part: new Set() } });
  });

  test("is narrowed by a target, which may match none of it; of everything it must match some", async () => {
    const repository = onBranch(three);
    repository.commit({ "catalog/a.yaml": tag("a", "two") });

    expect(await partOf(repository, { ...since, targets: ["urn:li:tag:*"] })).toEqual(["a"]);
    expect(await partOf(repository, { ...since, targets: ["urn:li:tag:b"] })).toEqual([]);
    expect(await refusalOf(repository, { targets: ["t9"] })).toEqual({ code: "no-match", targets: ["t9"] });
  });

  test("is the whole entity, also where a file that has not changed declares a part of it", async () => {
    const repository = onBranch({ "name.yaml": "kind: Tag\nid: t\nname: Tag\n", "b.yaml": tag("b") });
    repository.commit({ "catalog/color.yaml": "kind: Tag\nid: t\ncolor_hex: '#ffffff'\n" });

    const { desired, policy } = await scopeOf(repository);

    expect(idsIn(policy.part)).toEqual(["t"]);
    const facets = [desired.state, policy.applied].map((state) => [
      ...(state?.get(urn("urn:li:tag:t"))?.facets.keys() ?? []),
    ]);
    expect(facets.map((names) => names.toSorted())).toEqual([["color_hex", "name"], ["name"]]);
  });

  test("does not narrow what was declared before, with which guards compare", async () => {
    const repository = onBranch(three);
    repository.commit({ "catalog/new.yaml": tag("new"), "catalog/empty.yaml": "# nothing yet\n" });
    repository.git("branch", "--force", "main");
    repository.commit({ "catalog/a.yaml": undefined });

    const { policy } = await scopeOf(repository);

    expect(idsIn(policy.part)).toEqual(["a"]);
    expect(idsIn(policy.applied?.keys())).toEqual(["a", "b", "c"]);
    expect(idsIn(policy.base?.keys())).toEqual(["a", "b", "c", "new"]);
  });

  test("is told apart from what a base says that is named beside it", async () => {
    const repository = onBranch(three);
    const applied = repository.git("rev-parse", "HEAD");
    repository.commit({ "catalog/b.yaml": tag("b", "two") });
    repository.git("branch", "--force", "main");
    repository.commit({ "catalog/a.yaml": tag("a", "two") });

    expect(await scopeOf(repository, { ...since, base: appliedRef })).toMatchObject({
      git: { base: applied },
      policy: { part: new Set(["urn:li:tag:a"]) },
    });
    const unknown = { severity: "error", code: "base-missing" };
    expect(await refusalOf(repository, { ...since, base: "nope" })).toMatchObject({
      code: "unknown-base",
      problem: unknown,
    });
    expect(await refusalOf(repository, { changedSince: "nope", base: "main" })).toMatchObject({
      code: "unknown-changes",
    });
  });
});

describe("what was declared before", () => {
  test("is not known where nothing names the base, and a warning at the line of the settings says so", async () => {
    const repository = onBranch(three);
    repository.git("update-ref", "-d", appliedRef);

    expect(await scopeOf(repository, {})).toMatchObject({
      policy: { base: undefined, applied: undefined },
      git: { base: null },
      baseRef: { name: appliedRef, commit: null },
      problems: [{ code: "base-missing", severity: "warning", origin: { file: settingsFile, line: 2 } }],
    });
  });

  test("is what was declared at the merge base where a part is planned and the ref is not there yet", async () => {
    const repository = onBranch(three);
    repository.git("update-ref", "-d", appliedRef);
    repository.commit({ "catalog/a.yaml": undefined });

    const { policy, git, problems } = await scopeOf(repository);

    expect(idsIn(policy.base?.keys())).toEqual(["a", "b", "c"]);
    expect({ base: git.base, problems }).toEqual({ base: repository.git("rev-parse", "main"), problems: [] });
  });

  test("is not known where the base has no history in common with HEAD, also by name", async () => {
    const repository = onBranch(three);
    repository.git("checkout", "--quiet", "--orphan", "other");
    repository.commit({ "catalog/a.yaml": tag("a", "two") });

    for (const selection of [{}, { base: appliedRef }]) {
      expect(await scopeOf(repository, selection)).toMatchObject({
        policy: { base: undefined },
        problems: [{ code: "base-no-merge-base", severity: "warning" }],
      });
    }
  });
});

describe("a mistake refuses a part as it refuses the whole", () => {
  test("also where it stands in a manifest that has not changed", async () => {
    const repository = onBranch({ ...three, "broken.yaml": "kind: [Tag\n" });
    repository.commit({ "catalog/a.yaml": tag("a", "two") });

    const whole = await refusalOf(repository, {});
    expect(whole).toMatchObject([{ origin: { file: "catalog/broken.yaml" } }]);
    expect(await refusalOf(repository)).toEqual(whole);
  });

  test("also where it stands between a changed manifest and another one", async () => {
    const repository = onBranch({
      "a.yaml": "kind: User\nid: a\n",
      "g1.yaml": "kind: Group\nid: g1\nmembers: [{ id: b }]\n",
    });
    repository.commit({ "catalog/a.yaml": "kind: User\nid: a\ngroups: [g1]\n" });

    expect(await refusalOf(repository)).toMatchObject([{ code: "contradicting-membership" }]);
  });

  test.each([
    ["the first of two files", "a.yaml", "b.yaml"],
    ["the second of two files", "b.yaml", "a.yaml"],
  ])("at %s that contradict each other where a branch changed it", async (_, changed, other) => {
    const repository = onBranch({ [other]: tag("t", "one") });
    repository.write({ [`catalog/${changed}`]: tag("t", "two") });

    for (const selection of [since, { base: "main" }, {}]) {
      if (selection !== since)
        repository.write({ [settingsFile]: "base" in selection ? "version: 1\n" : settings });
      expect(await refusalOf(repository, selection)).toMatchObject([
        {
          code: "duplicate-facet",
          origin: { file: `catalog/${changed}`, line: 3 },
          related: { file: `catalog/${other}`, line: 3 },
        },
      ]);
    }
  });

  test("at the second of two files where a branch changed both", async () => {
    const repository = onBranch({ "a.yaml": tag("a"), "b.yaml": tag("b") });
    repository.write({ "catalog/a.yaml": tag("t", "one"), "catalog/b.yaml": tag("t", "two") });

    expect(await refusalOf(repository)).toMatchObject([{ origin: { file: "catalog/b.yaml" } }]);
  });
});

describe("where the settings have changed, everything is planned", () => {
  test.each([
    ["the default file", undefined, settingsFile],
    ["a file of the catalog that is named", "catalog/other.yaml", "catalog/other.yaml"],
    ["a file outside of the catalog", "settings.yaml", "settings.yaml"],
  ])("%s, by the stricter limits, and it is known what changed", async (_, named, file) => {
    const repository = onBranch(three);
    repository.commit({
      [file]: `${settings}manage: { tags: merge }\nguards: { deletes: { max_count: 7 } }\n`,
    });

    const { policy, repository: read } = await scopeOf(repository, since, named);

    expect(read.settingsChanges).toEqual(
      expect.arrayContaining([
        { key: "manage.tags", before: null, after: "merge" },
        { key: "guards.deletes.max_count", before: "0", after: "7" },
      ]),
    );
    expect(policy).toMatchObject({ part: undefined, limits: defaultLimits, modes: { tags: "merge" } });
  });

  test.each(["server: https://datahub.acme.com", "missing: skip", "conflicts: skip", "writes: conditional"])(
    "with `%s`",
    async (line) => {
      const repository = onBranch(three);
      repository.commit({ [settingsFile]: settings + line });
      const [key, after] = line.split(": ");

      const { settingsChanges } = (await scopeOf(repository)).repository;

      expect(settingsChanges).toEqual([{ key, before: null, after }]);
    },
  );

  test("and not where they say the same in other words", async () => {
    const repository = onBranch(three);
    repository.commit({ [settingsFile]: `# why\n${settings}guards: { deletes: { max_count: 0 } }\n` });

    expect((await scopeOf(repository)).repository).not.toHaveProperty("settingsChanges");
  });
});

test.each([
  ["a manifest that git ignores", { "catalog/gen.yaml": tag("gen") }, true],
  ["an ignored file that is no manifest", { "catalog/plan.log": "", "catalog/.cache/a.yaml": "" }, false],
  ["a manifest that is not committed", { "catalog/b.yaml": tag("b", "two") }, true],
  ["settings that are not committed", { [settingsFile]: `${settings}# more\n` }, true],
  ["a file beside the catalog", { "plan.json": "{}" }, false],
])("%s, which is not committed, tells whether the commit is all (case %#)", async (_, files, dirty) => {
  const repository = onBranch(three);
  const commit = repository.commit({ ".gitignore": "gen.yaml\n*.log\n.cache/\n" });
  repository.write(files);

  expect((await scopeOf(repository, {})).git).toMatchObject({ commit, dirty });
});

describe("a directory", () => {
  const below = { "data sets/a.yaml": tag("a") };
  const opened = async (cwd: string, directory: string): Promise<unknown> =>
    await openRepository({ cwd, directory }).then(
      () => "opened",
      (error: unknown) => (error instanceof ScopeError ? error.failure : error),
    );

  test("below one with settings is no catalog, and neither is a link that leads there", async () => {
    const { root } = onBranch(below);
    symlinkSync("catalog/data sets", join(root, "my link"));
    symlinkSync("catalog", join(root, "whole"));

    for (const directory of ["catalog/data sets", "my link", "my link/not there yet"]) {
      const failure = { code: "inside-catalog", directory, catalog: "catalog" };
      expect(await opened(root, directory)).toEqual(failure);
    }
    expect(await opened(root, "whole")).toBe("opened");
  });

  test("below one without settings is a catalog of its own, also where settings stand above the repository", async () => {
    const { root, write, git } = testRepository();
    write({ "catalog/sets/a.yaml": tag("a"), "datahub-gitops.yaml": settings });
    git("init", "--quiet", "catalog");

    expect(await opened(root, "catalog/sets")).toBe("opened");
  });
});

test("a replace ref does not change what an earlier commit declared", async () => {
  const repository = onBranch(three);
  const applied = repository.git("rev-parse", "HEAD");
  const forged = repository.commit({ "catalog/a.yaml": tag("a", "forged") });
  repository.git("reset", "--quiet", "--hard", applied);
  repository.git("replace", applied, forged);
  repository.commit({ "catalog/a.yaml": tag("a", "two") });

  const { policy } = await scopeOf(repository, {});

  const value = policy.applied?.get(urn("urn:li:tag:a"))?.facets.get("description");
  expect(value).toMatchObject({ value: "one" });
});
