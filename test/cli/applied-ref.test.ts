import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tag } from "../support/history.ts";
import { appliedRef, settingsWith, siteWith } from "../support/site.ts";
import { withFiles } from "../support/manifest-files.ts";
import { runCli } from "../support/command-line.ts";

test("with a manifest that Git ignores the ref is not moved, and the plan says that the commit is not all", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  site.commit({ ".gitignore": "gen.yaml\n" });
  site.write({ "catalog/gen.yaml": tag("gen") });

  expect((await site.planned()).git).toMatchObject({ dirty: true });
  const { code, stderr } = await site.apply();

  expect(code).toBe(0);
  expect(stderr).toContain(`${appliedRef} was not moved: the manifests differ from the last commit`);
  expect(site.at()).toBeUndefined();
});

test("a file that Git ignores and that is not a manifest makes no difference", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const head = site.commit({ ".gitignore": "*.log\n.cache/\n" });
  site.write({ "catalog/plan.log": "text", "catalog/.cache/a.yaml": "text" });

  expect((await site.planned()).git).toMatchObject({ dirty: false });
  await site.apply();

  expect(site.at()).toBe(head);
});

test("an older commit that is applied after a newer one does not move the ref back, and the apply says so", async () => {
  const site = await siteWith({ "a.yaml": tag("a", "one") });
  const first = site.git("rev-parse", "HEAD");
  const second = site.commit({ "catalog/a.yaml": tag("a", "two") });
  await site.apply();
  expect(site.at()).toBe(second);

  site.git("checkout", "--quiet", first);
  const { code, stderr } = await site.apply();

  expect(code).toBe(0);
  expect(stderr).toContain(
    `${appliedRef} was not moved: it points to ${second.slice(0, 12)}, which is not an ancestor of the commit that was applied`,
  );
  expect(site.at()).toBe(second);
});

test("a branch that left the applied one before its last commit does not take the ref with it", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  site.git("checkout", "--quiet", "-b", "side");
  const side = site.commit({ "catalog/b.yaml": tag("b") });
  site.git("checkout", "--quiet", "main");
  const main = site.commit({ "catalog/c.yaml": tag("c") });
  await site.apply();

  site.git("checkout", "--quiet", "side");
  const { stderr } = await site.apply();

  expect(stderr).toContain("which is not an ancestor");
  expect(site.at()).toBe(main);
  expect(main).not.toBe(side);
});

test("a replace ref does not change what an earlier commit declared", async () => {
  const site = await siteWith({ "a.yaml": tag("a", "one") }, settingsWith("manage: { description: merge }"));
  await site.apply();
  const applied = site.at() ?? "";
  const forged = site.commit({ "catalog/a.yaml": tag("a", "forged") });
  site.git("reset", "--quiet", "--hard", applied);
  site.git("replace", applied, forged);
  site.commit({ "catalog/a.yaml": tag("a", "two") });

  const { changes } = await site.planned();

  expect(changes).toMatchObject([{ before: "one", after: "two", removed: [{ declaredBefore: true }] }]);
  expect(changes[0]).not.toHaveProperty("conflict");
});

test.each(["--base", "--changed-since"])(
  "a name of two refs is an error of %s that names both",
  async (flag) => {
    const site = await siteWith({ "a.yaml": tag("a") });
    site.git("branch", "release");
    site.commit({ "catalog/b.yaml": tag("b") });
    site.git("tag", "release");

    const { code, stderr } = await site.plan(flag, "release");

    expect(code).toBe(1);
    expect(stderr).toContain("`refs/heads/release` or `refs/tags/release`");
    expect(await site.plan(flag, "refs/heads/release")).toMatchObject({ code: 0 });
  },
);

const catalogCommands = ["plan", "validate", "apply", "drift", "export", "pull", "explain"];

/** A command that names a directory, without a server where it can do without. */
function commandIn(directory: string, command: string): readonly string[] {
  if (command === "validate") return [command, directory];
  return [command, ...(command === "explain" ? ["urn:li:tag:a"] : []), directory, "--local"];
}

test.each(catalogCommands)(
  "%s of a directory below one with settings is refused, before any request, and names that one",
  async (command) => {
    const site = await siteWith({ "datasets/a.yaml": tag("a") });

    const argv = commandIn("catalog/datasets", command);
    const { code, stderr } = await runCli(argv, { cwd: site.root, answers: ["yes"] });

    expect(code).toBe(64);
    expect(stderr).toContain(
      '"catalog/datasets" is part of the catalog in "catalog", which has settings; name "catalog" as the directory, and select a part of it with --target',
    );
  },
);

test.each(catalogCommands)(
  "%s of a link that leads below a directory with settings is refused like the directory itself",
  async (command) => {
    const site = await siteWith({ "data sets/a.yaml": tag("a") });
    symlinkSync("catalog/data sets", join(site.root, "my link"));
    symlinkSync("catalog", join(site.root, "whole"));

    for (const directory of ["my link", "my link/not there yet"]) {
      const { code, stderr } = await runCli(commandIn(directory, command), {
        cwd: site.root,
        answers: ["yes"],
      });
      expect(code).toBe(64);
      expect(stderr).toContain(`"${directory}" is part of the catalog in "catalog"`);
    }
    expect(await runCli(["validate", "whole"], { cwd: site.root })).toMatchObject({ code: 0 });
  },
);

test("where the working directory is the catalog, a part of it is refused with a sentence about it", async () => {
  const site = await siteWith({ "datasets/a.yaml": tag("a") });

  const { stderr } = await runCli(["validate", "datasets"], { cwd: join(site.root, "catalog") });

  expect(stderr).toContain(
    '"datasets" is part of the catalog in ".", which has settings; name "." as the directory',
  );
});

test("a directory below one without settings is a catalog of its own", async () => {
  await withFiles({ "catalog/datasets/a.yaml": tag("a") }, async (cwd) => {
    expect(await runCli(["validate", "catalog/datasets"], { cwd })).toMatchObject({ code: 0 });
  });
});

test("settings above the root of the repository do not count", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  await withFiles({ "datahub-gitops.yaml": settingsWith() }, async (cwd) => {
    site.git("clone", "--quiet", site.root, `${cwd}/clone`);
    expect(await runCli(["validate", "catalog"], { cwd: `${cwd}/clone` })).toMatchObject({ code: 0 });
  });
});
