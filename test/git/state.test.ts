import { join } from "node:path";
import { expect, test } from "vitest";
import { gitStateOf, gitStateWithIgnored } from "../../src/git/state.ts";
import { testRepository } from "../support/git-repository.ts";

const odd = ["a b.yaml", "b.yaml", "c/d.yaml", "gén.yaml", 'quo"te.yaml', "tab\t.yaml"];

test("files that git ignores are told by their paths below the directory, and make nothing dirty", async () => {
  const { root, commit, write } = testRepository();
  const head = commit({ ".gitignore": "*.yaml\n", "catalog/README.md": "words" });
  write(
    Object.fromEntries(["beside.yaml", ...odd.map((name) => `catalog/${name}`)].map((name) => [name, ""])),
  );
  const state = { commit: head, dirty: false, base: null };

  const { ignored, ...rest } = await gitStateWithIgnored(join(root, "catalog"));

  expect(rest).toEqual(state);
  // Git writes a quote and control characters as C does.
  expect(ignored.map((path) => path.replace("\\t", "\t").replace("\\", "")).toSorted()).toEqual(odd);
  expect(await gitStateOf(join(root, "catalog"))).toEqual(state);
});
