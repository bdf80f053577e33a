import { expect, test } from "vitest";
import { type TestRepository, testRepository } from "../../support/git-repository.ts";
import { baseAt, tag } from "../../support/history.ts";
import { urn } from "../../support/states.ts";

/** A tag with these owners. */
function owned(...users: readonly string[]): string {
  return `kind: Tag\nid: t\nowners: [${users.map((user) => `{ user: ${user} }`).join(", ")}]\n`;
}

const inCatalog = (files: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`catalog/${name}`, text]));

/** A repository whose first commit, the last applied one, declares a tag without owners. */
function begun(): TestRepository & { readonly next: (files: Record<string, string | undefined>) => void } {
  const repository = testRepository();
  repository.commit(inCatalog({ "t.yaml": owned() }));
  repository.git("update-ref", "refs/applied", "HEAD");
  return { ...repository, next: (files) => void repository.commit(inCatalog(files)) };
}

/** The owners of the tag that were declared before, by the last applied commit or since, and the other entities. */
async function before({ root }: TestRepository): Promise<readonly string[]> {
  const base = await baseAt("refs/applied", { cwd: root });
  if ("reason" in base) return [base.reason.code];
  const owners = base.before.get(urn("urn:li:tag:t"))?.facets.get("owners");
  const others = [...base.before.keys()].filter((each) => each !== "urn:li:tag:t");
  const named =
    owners?.shape === "set" ? owners.members.map((each) => (each as { owner: string }).owner) : [];
  return [...named, ...others].map((each) => each.split(":").at(-1) ?? "");
}

test("what came and went again between two commits was declared before", async () => {
  const repository = begun();
  repository.next({ "t.yaml": owned("alice"), "b.yaml": tag("b") });
  repository.next({ "t.yaml": owned("bob") });
  repository.next({ "t.yaml": owned(), "b.yaml": undefined });

  expect(await before(repository)).toEqual(["alice", "bob", "b"]);
});

test.each([
  ["does not parse", { "t.yaml": "kind: [Tag\n", "u.yaml": "# nothing\n" }],
  [
    "declares two descriptions",
    { "t.yaml": `${owned("alice")}description: a\n`, "u.yaml": `${owned("bob")}description: b\n` },
  ],
])("a commit whose manifests have an error declares nothing: one %s", async (_, files) => {
  const repository = begun();
  repository.next({ "v.yaml": tag("v"), ...files });
  repository.next({ "t.yaml": owned(), "u.yaml": undefined, "v.yaml": undefined });

  expect(await before(repository)).toEqual([]);
});

test("what stands in a commit with an error, and in the next one too, is declared by the next one", async () => {
  const repository = begun();
  repository.next({ "t.yaml": owned("alice"), "broken.yaml": "kind: [Tag\n" });
  repository.next({ "broken.yaml": undefined });
  repository.next({ "t.yaml": owned() });

  expect(await before(repository)).toEqual(["alice"]);
});

test("only HEAD's first-parent line counts: what a merged branch declared in between does not", async () => {
  const repository = begun();
  const { git, next } = repository;
  git("checkout", "--quiet", "-b", "side");
  next({ "t.yaml": owned("alice") });
  next({ "t.yaml": owned(), "x.yaml": tag("x") });
  git("checkout", "--quiet", "main");
  git("merge", "--quiet", "--no-ff", "--no-edit", "side");

  expect(await before(repository)).toEqual(["x"]);
});
