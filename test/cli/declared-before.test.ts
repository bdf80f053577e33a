import { expect, test } from "vitest";
import { tag } from "../support/history.ts";
import { appliedRef, inCatalog, settingsWith, type Site, siteWith } from "../support/site.ts";

const merging = settingsWith("manage: { owners: merge, description: merge }");
const alice = "kind: User\nid: alice\n";

/** A tag with these owners. */
function owned(...users: readonly string[]): string {
  return `kind: Tag\nid: t\nowners: [${users.map((user) => `{ user: ${user} }`).join(", ")}]\n`;
}

async function ownersOf(site: Site): Promise<readonly string[]> {
  const ownership = site.aspect("urn:li:tag:t", "ownership") as
    | { readonly owners: readonly { readonly owner: string }[] }
    | undefined;
  return (ownership?.owners ?? []).map(({ owner }) => owner);
}

const users = ["alice", "bob"].map((id) => `kind: User\nid: ${id}\n`).join("---\n");

test("a value that a partial apply wrote and a revert takes back is ours, and is removed under merge", async () => {
  const site = await siteWith({ "users.yaml": users, "t.yaml": owned() }, merging);
  await site.apply();
  site.commit(inCatalog({ "t.yaml": owned("alice") }));
  await site.apply("--target", "urn:li:tag:t");
  expect(await ownersOf(site)).toEqual(["urn:li:corpuser:alice"]);
  site.git("revert", "--no-edit", "HEAD");

  const { changes, unmanaged } = await site.planned();

  expect(changes).toMatchObject([{ facet: "owners", add: [], removed: [{ declaredBefore: true }] }]);
  expect(unmanaged).toEqual([]);
  const { stderr } = await site.apply();
  expect(await ownersOf(site)).toEqual([]);
  expect(stderr).toContain(`${appliedRef} now points to ${site.git("rev-parse", "HEAD").slice(0, 12)}`);
});

test("what others add stays, however many commits there were", async () => {
  const site = await siteWith({ "users.yaml": users, "t.yaml": owned() }, merging);
  await site.apply();
  site.commit(inCatalog({ "t.yaml": owned("alice") }));
  site.commit(inCatalog({ "t.yaml": owned() }));
  await site.edit(
    'addOwner(input: { ownerUrn: "urn:li:corpuser:bob", resourceUrn: "urn:li:tag:t", ownerEntityType: CORP_USER, type: TECHNICAL_OWNER })',
  );

  expect(await site.planned()).toMatchObject({
    changes: [],
    unmanaged: [{ facet: "owners", reason: "other-writer" }],
  });
});

test("a single value that a commit in between declared is no conflict, and one that none declared is", async () => {
  const site = await siteWith({ "t.yaml": tag("t", "one") }, merging);
  await site.apply();
  site.commit({ "catalog/t.yaml": tag("t", "two") });
  await site.apply("--target", "urn:li:tag:t");
  site.commit({ "catalog/t.yaml": tag("t", "three") });

  expect((await site.planned()).changes).toMatchObject([{ before: "two", after: "three" }]);
  expect((await site.planned()).changes[0]).not.toHaveProperty("conflict");
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:t", description: "theirs" })');
  expect((await site.planned()).changes).toMatchObject([
    { conflict: { base: "one", live: "theirs", desired: "three" } },
  ]);
});

test("a definition that came and went between two complete applies is pruned", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  await site.apply();
  site.commit({ "catalog/b.yaml": tag("b") });
  await site.apply("--target", "urn:li:tag:b");
  site.commit({ "catalog/b.yaml": undefined });

  const kept = await site.apply();
  expect(kept.stderr).toContain(
    `${appliedRef} was not moved: 1 entity (urn:li:tag:b) in the catalog is no longer declared; remove with --prune --max-deletes 1, declare again, or add an ignore rule`,
  );
  const { code, stderr } = await site.apply("--prune", "--max-deletes", "1");
  expect(code).toBe(0);
  expect(site.aspect("urn:li:tag:b", "tagProperties")).toBeUndefined();
  expect(stderr).toContain(`${appliedRef} now points to`);
});

test.each([
  [
    "an ignore rule",
    { "datahub-gitops.yaml": settingsWith('ignore: [{ urn: "urn:li:tag:b", reason: kept }]') },
  ],
  ["a manifest", { "b.yaml": tag("b") }],
])("%s for what is left behind lets the ref move", async (_, files) => {
  const site = await siteWith({ "a.yaml": tag("a"), "b.yaml": tag("b") });
  await site.apply();
  const head = site.commit({ "catalog/b.yaml": undefined });
  await site.apply();
  expect(site.at()).not.toBe(head);

  const next = site.commit(inCatalog(files));
  await site.apply();

  expect(site.at()).toBe(next);
});

test("values keep the ref only where the settings prune them", async () => {
  const site = await siteWith({ "a.yaml": tag("a", "one") });
  await site.apply();
  const dropped = site.commit({ "catalog/a.yaml": tag("a") });
  await site.apply();
  expect(site.at()).toBe(dropped);

  site.commit({ "catalog/a.yaml": tag("a", "one") });
  await site.apply();
  const kept = site.commit(
    inCatalog({
      "a.yaml": tag("a"),
      "datahub-gitops.yaml": settingsWith("prune: { assignments: true }"),
    }),
  );
  expect((await site.apply()).stderr).toContain("1 value in the catalog is no longer declared");
  expect(site.at()).not.toBe(kept);
  await site.apply("--prune");
  expect(site.at()).toBe(kept);
});

test.each([
  ["does not parse", { "t.yaml": "kind: [Tag\n", "u.yaml": "# nothing\n" }],
  [
    "declares two descriptions",
    { "t.yaml": `${owned("alice")}description: a\n`, "u.yaml": `${owned("bob")}description: b\n` },
  ],
])("a commit whose manifests have an error declares nothing: one %s", async (_, files) => {
  const site = await siteWith({ "users.yaml": users, "t.yaml": owned() }, merging);
  await site.apply();
  await site.edit(
    'addOwner(input: { ownerUrn: "urn:li:corpuser:alice", resourceUrn: "urn:li:tag:t", ownerEntityType: CORP_USER, type: TECHNICAL_OWNER })',
  );
  site.commit(inCatalog({ "v.yaml": tag("v"), ...files }));
  site.commit(inCatalog({ "t.yaml": owned(), "u.yaml": undefined, "v.yaml": undefined }));

  expect(await site.planned()).toMatchObject({
    changes: [],
    unmanaged: [{ facet: "owners", reason: "other-writer" }],
  });
});

test("what stands in a commit with an error, and in the next one too, is declared by the next one", async () => {
  const site = await siteWith({ "users.yaml": users, "t.yaml": owned() }, merging);
  await site.apply();
  site.commit(inCatalog({ "t.yaml": owned("alice"), "broken.yaml": "kind: [Tag\n" }));
  site.commit(inCatalog({ "broken.yaml": undefined }));
  await site.apply("--target", "urn:li:tag:t");
  site.commit(inCatalog({ "t.yaml": owned() }));

  expect((await site.planned()).changes).toMatchObject([
    { facet: "owners", removed: [{ declaredBefore: true }] },
  ]);
});

test("only HEAD's first-parent line counts: what a merged branch declared in between does not", async () => {
  const site = await siteWith({ "users.yaml": users, "t.yaml": owned() }, merging);
  await site.apply();
  site.git("checkout", "--quiet", "-b", "side");
  site.commit(inCatalog({ "t.yaml": owned("alice") }));
  site.commit(inCatalog({ "t.yaml": owned(), "x.yaml": tag("x") }));
  site.git("checkout", "--quiet", "main");
  site.git("merge", "--quiet", "--no-ff", "--no-edit", "side");
  await site.edit(
    'addOwner(input: { ownerUrn: "urn:li:corpuser:alice", resourceUrn: "urn:li:tag:t", ownerEntityType: CORP_USER, type: TECHNICAL_OWNER })',
  );

  expect(await site.planned()).toMatchObject({
    changes: [{ action: "create", urn: "urn:li:tag:x" }],
    unmanaged: [{ facet: "owners", reason: "other-writer" }],
  });
});

test("where no ref is named, the merge base with --changed-since tells what was declared before", async () => {
  const site = await siteWith(
    { "users.yaml": users, "t.yaml": owned("alice"), "u.yaml": alice.replace("alice", "carol") },
    "version: 1\nmanage: { owners: merge }\n",
  );
  await site.apply();
  const start = site.git("rev-parse", "HEAD");
  site.git("checkout", "--quiet", "-b", "branch");
  site.commit(inCatalog({ "t.yaml": owned() }));

  const { changes, git } = await site.planned("--changed-since", "main");
  expect(changes).toMatchObject([{ facet: "owners", add: [], removed: [{ declaredBefore: true }] }]);
  expect(git).toMatchObject({ base: start });
  expect((await site.planned()).changes).toEqual([]);
});
