import { join } from "node:path";
import { expect, test } from "vitest";
import { tag } from "../support/history.ts";
import { appliedRef, siteWith } from "../support/site.ts";
import { runCli } from "../support/command-line.ts";

test("an older commit that is applied after a newer one does not move the ref back, and the apply says so", async () => {
  const site = await siteWith({ "a.yaml": tag("a", "one") });
  const first = site.git("rev-parse", "HEAD");
  const second = site.commit({ "catalog/a.yaml": tag("a", "two") });
  site.git("update-ref", appliedRef, second);

  site.git("checkout", "--quiet", first);
  const { code, stderr } = await site.apply("--allow-older-commit");

  expect(code).toBe(0);
  expect(stderr).toContain(`, because it is not an ancestor of the applied commit`);
  expect(site.at()).toBe(second);
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
  },
);

const catalogCommands = ["plan", "validate", "apply", "drift", "export", "pull", "explain"];

/** A command that names a directory, without a server where it can do without. */
function commandIn(directory: string, command: string): readonly string[] {
  if (command === "validate") return [command, directory];
  return [command, ...(command === "explain" ? ["urn:li:tag:a"] : []), directory, "--local"];
}

test("a command for a directory below one with settings is refused, before any request, and names that one", async () => {
  const site = await siteWith({ "datasets/a.yaml": tag("a") });

  for (const command of catalogCommands) {
    const argv = commandIn("catalog/datasets", command);
    const { code, stderr } = await runCli(argv, { cwd: site.root, answers: ["yes"] });

    expect({ command, code }).toEqual({ command, code: 64 });
    expect(stderr).toContain(
      '"catalog/datasets" is inside the catalog "catalog", which has settings; use "catalog" as the directory, and select part of it with --target',
    );
  }
});

test("where the working directory is the catalog, a part of it is refused with a sentence about it", async () => {
  const site = await siteWith({ "datasets/a.yaml": tag("a") });

  const { stderr } = await runCli(["validate", "datasets"], { cwd: join(site.root, "catalog") });

  expect(stderr).toContain(
    '"datasets" is inside the catalog ".", which has settings; use "." as the directory',
  );
});
