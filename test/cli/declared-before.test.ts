import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { tag } from "../support/history.ts";
import { appliedRef, inCatalog, settingsWith, type Site, siteWith } from "../support/site.ts";

// Which commits count: test/workflow/scope/declared-since.test.ts. What is left behind: test/plan/notes/leftovers.test.ts.

type Files = Readonly<Record<string, string | undefined>>;

/** A tag with these owners. */
function owned(...users: readonly string[]): string {
  return `kind: Tag\nid: t\nowners: [${users.map((user) => `{ user: ${user} }`).join(", ")}]\n`;
}

const user = (id: string): MadeAspect => [`urn:li:corpuser:${id}`, "corpUserInfo", { active: true }];
const owner = (id: string) => ({ owner: `urn:li:corpuser:${id}`, type: "TECHNICAL_OWNER" });

/** A site with what is in the catalog, whose first commit was applied, and others came after it. */
async function siteOf(
  live: readonly MadeAspect[],
  [first = {}, ...later]: readonly Files[],
  settings = settingsWith("manage: { owners: merge }"),
): Promise<Site> {
  const site = await siteWith(first, settings);
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  site.git("update-ref", appliedRef, "HEAD");
  for (const files of later) site.commit(inCatalog(files));
  return site;
}

const live: readonly MadeAspect[] = [
  user("alice"),
  user("bob"),
  ["urn:li:tag:t", "tagProperties", { name: "t" }],
  ["urn:li:tag:t", "ownership", { owners: [owner("alice"), owner("bob")] }],
];

test("a value that a commit in between declared is ours and is removed under merge, one of others stays", async () => {
  const site = await siteOf(live, [
    { "t.yaml": owned() },
    { "t.yaml": owned("alice") },
    { "t.yaml": owned() },
  ]);

  const { stdout, stderr } = await site.apply("--max-removals", "100%", "--format", "json");
  expect(JSON.parse(stdout)).toMatchObject({
    plan: {
      changes: [{ facet: "owners", add: [], removed: [{ declaredBefore: true }] }],
      unmanaged: [{ facet: "owners", value: { owner: "urn:li:corpuser:bob" }, reason: "other-writer" }],
    },
  });
  expect(site.aspect("urn:li:tag:t", "ownership")).toMatchObject({ owners: [owner("bob")] });
  expect(stderr).toContain(`The base (${appliedRef}) is now ${site.git("rev-parse", "HEAD").slice(0, 12)}`);
});

test("where no ref is named, the merge base with --changed-since tells what was declared before", async () => {
  const settings = "version: 1\nmanage: { owners: merge }\n";
  const site = await siteOf(live, [{ "t.yaml": owned("alice") }], settings);
  const start = site.git("rev-parse", "HEAD");
  site.git("checkout", "--quiet", "-b", "branch");
  site.commit(inCatalog({ "t.yaml": owned() }));

  const { changes, git } = await site.planned("--changed-since", "main");
  expect(changes).toMatchObject([{ facet: "owners", add: [], removed: [{ declaredBefore: true }] }]);
  expect(git).toMatchObject({ base: start });
  expect((await site.planned()).changes).toEqual([]);
});

test("what came and went again keeps the ref until it is pruned", async () => {
  const tags = ["a", "b"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]);
  const site = await siteOf(tags, [{ "a.yaml": tag("a") }, { "b.yaml": tag("b") }, { "b.yaml": undefined }]);

  expect((await site.apply()).stderr).toContain(
    `, because 1 entity (urn:li:tag:b) in the catalog is no longer declared; remove it with --prune --max-deletes 1, declare it again, or add an ignore rule`,
  );
  const { code, stderr } = await site.apply("--prune", "--max-deletes", "1");
  expect(code).toBe(0);
  expect(site.aspect("urn:li:tag:b", "tagProperties")).toBeUndefined();
  expect(stderr).toContain(`The base (${appliedRef}) is now`);
});

test("values keep the ref only where the settings prune them", async () => {
  const described: MadeAspect = ["urn:li:tag:a", "tagProperties", { name: "a", description: "one" }];
  const commits = [{ "a.yaml": tag("a", "one") }, { "a.yaml": tag("a") }];
  const site = await siteOf([described], commits, settingsWith("prune: { assignments: true }"));
  const other = await siteOf([described], commits);

  expect((await site.apply()).stderr).toContain("1 value in the catalog is no longer declared");
  expect((await other.apply()).stderr).toContain(`The base (${appliedRef}) is now`);
});
