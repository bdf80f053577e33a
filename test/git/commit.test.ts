import { expect, test } from "vitest";
import { commitOf } from "../../src/git/commit.ts";
import { GitError } from "../../src/git/fault.ts";
import { gitIn, testRepository } from "../support/git-repository.ts";
import { temporaryDirectory } from "../support/catalog.ts";

/** A repository with a commit that several refs name, and one that is not a commit. */
function repositoryWithRefs(): { readonly root: string; readonly head: string } {
  const { root, git, commit } = testRepository();
  const head = commit({ "a.txt": "a" });
  git("tag", "--annotate", "--message", "words", "noted");
  git("update-ref", "refs/ours/applied", head);
  git("update-ref", "refs/ours/twice", head);
  git("update-ref", "refs/heads/refs/ours/twice", head);
  git("update-ref", "refs/ours/tree", git("rev-parse", "HEAD^{tree}"));
  return { root, head };
}

/** What git says that it does not know. */
async function faultOf(answer: Promise<unknown>): Promise<unknown> {
  const error = await answer.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return error instanceof GitError ? error.fault : error;
}

test("a commit is found by a short name, a whole one, a tag's, and an id", async () => {
  const { root, head } = repositoryWithRefs();
  const names = ["main", "HEAD", "refs/heads/main", "refs/ours/applied", "noted", "refs/tags/noted"];

  for (const name of [...names, head, head.slice(0, 12), "refs/heads/main~0"]) {
    expect({ name, found: await commitOf(root, name) }).toEqual({ name, found: head });
  }
});

test("what names no commit is missing, also where it is a pattern or a tree", async () => {
  const { root } = repositoryWithRefs();
  const missing = { fault: "missing", isShallow: false };

  for (const name of ["nope", "refs/ours/nope", "refs/ours/*", "refs/ours/tree", "refs/ours", "-x", ""]) {
    expect({ name, found: await faultOf(commitOf(root, name)) }).toEqual({ name, found: missing });
  }
});

test("a whole name that is a short one of another ref is ambiguous", async () => {
  const { root } = repositoryWithRefs();

  expect(await faultOf(commitOf(root, "refs/ours/twice"))).toEqual({
    fault: "ambiguous",
    names: ["refs/heads/refs/ours/twice", "refs/ours/twice"],
  });
});

test("a repository without commits is told from one where HEAD has none", async () => {
  const empty = testRepository();
  const { root, git } = testRepository();
  git("update-ref", "refs/heads/other", testCommit(root));

  for (const name of ["main", "refs/heads/main"]) {
    expect(await faultOf(commitOf(empty.root, name))).toEqual({ fault: "no-commits" });
    expect(await faultOf(commitOf(root, name))).toEqual({ fault: "missing", isShallow: false });
    expect(await faultOf(commitOf(temporaryDirectory(), name))).toEqual({ fault: "no-repository" });
  }
});

/** A commit that no branch has. */
function testCommit(root: string): string {
  return gitIn(root, "commit-tree", "-m", "a change", gitIn(root, "write-tree"));
}
