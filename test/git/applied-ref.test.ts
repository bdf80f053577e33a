import { expect, test, vi } from "vitest";
import { moveAppliedRef } from "../../src/git/applied-ref.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { gitIn, testRepository } from "../support/git-repository.ts";
import { tag } from "../support/history.ts";

const ref = "refs/datahub-gitops/applied";

function twoCommits() {
  const repository = testRepository();
  const first = repository.commit({ "catalog/a.yaml": tag("a") });
  const second = repository.commit({ "catalog/b.yaml": tag("b") });
  return { ...repository, first, second };
}

test("a ref is made, then moved, and its log says by whom", async () => {
  const { root, git, first, second } = twoCommits();

  expect(await moveAppliedRef(root, ref, { from: null, to: first })).toBeUndefined();
  expect(git("rev-parse", ref)).toBe(first);
  expect(await moveAppliedRef(root, ref, { from: first, to: second })).toBeUndefined();
  expect(git("rev-parse", ref)).toBe(second);
  expect(git("reflog", "show", "--format=%gs", ref)).toBe("datahub-gitops: applied\ndatahub-gitops: applied");
});

test("a ref that somebody else has moved or made meanwhile stays", async () => {
  const { root, git, first, second } = twoCommits();
  git("update-ref", ref, second);

  expect(await moveAppliedRef(root, ref, { from: first, to: first })).toContain(
    `is at ${second} but expected`,
  );
  expect(await moveAppliedRef(root, ref, { from: null, to: first })).toContain("reference already exists");
  expect(git("rev-parse", ref)).toBe(second);
});

test("a ref that is gone meanwhile is not made again", async () => {
  const { root, first, second } = twoCommits();

  expect(await moveAppliedRef(root, ref, { from: first, to: second })).toContain("cannot lock ref");
});

test.each(["refs/heads/main", "main", "HEAD", "refs/tags/v1", "--stdin", "refs/datahub-gitops"])(
  "%s is never moved",
  async (other) => {
    const { root, git, first } = twoCommits();
    const before = git("for-each-ref");

    await expect(moveAppliedRef(root, other, { from: null, to: first })).rejects.toThrow("it is never moved");
    expect(git("for-each-ref")).toBe(before);
  },
);

test("a name that leads out of our refs is refused by git", async () => {
  const { root, git, first, second } = twoCommits();

  const why = await moveAppliedRef(root, "refs/datahub-gitops/../heads/main", { from: second, to: first });

  expect(why).toContain("bad name");
  expect(git("rev-parse", "main")).toBe(second);
});

test("a branch that one of our refs stands for is not moved", async () => {
  const { root, git, first, second } = twoCommits();
  git("symbolic-ref", ref, "refs/heads/main");

  await moveAppliedRef(root, ref, { from: second, to: first });

  expect(git("rev-parse", "main")).toBe(second);
});

test("in a repository that counts in SHA-256 a ref is made", async () => {
  const root = temporaryDirectory();
  gitIn(root, "init", "--quiet", "-b", "main", "--object-format=sha256");
  const { git, commit } = testRepository(root);
  const first = commit({ "catalog/a.yaml": tag("a") });

  expect(await moveAppliedRef(root, ref, { from: null, to: first })).toBeUndefined();
  expect(git("rev-parse", ref)).toBe(first);
});

test("no name has to be set for it, as in CI", async () => {
  const { root, git, first } = twoCommits();
  git("config", "user.useConfigOnly", "true");
  vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");

  expect(await moveAppliedRef(root, ref, { from: null, to: first })).toBeUndefined();
});

test("where there is no repository the answer says so", async () => {
  const to = "0123456789".repeat(4);

  expect(await moveAppliedRef(temporaryDirectory(), ref, { from: null, to })).toContain(
    "not a git repository",
  );
});
