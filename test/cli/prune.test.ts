import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { type PlanJson, settingsWith, type Site, siteOnce, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import type { StubRequest } from "../support/stub-server.ts";

const domains =
  "kind: Domain\nid: top\n---\nkind: Domain\nid: middle\nparent_domain: top\n---\nkind: Domain\nid: low\nparent_domain: middle\n";

async function makeSiteWithout(
  dropped: readonly string[],
  files: Readonly<Record<string, string>>,
  settings = settingsWith(),
): Promise<Site> {
  const site = await siteWith({ "keep.yaml": tag("keep"), ...files }, settings);
  const applied = await site.apply();
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  site.commit(Object.fromEntries(dropped.map((name) => [`catalog/${name}`, undefined])));
  return site;
}

/** A site that has applied these files and then dropped some, committed. */
const siteWithout = siteOnce(makeSiteWithout);

/** What a plan deletes, in its order. */
async function deletionsIn(site: Site, ...flags: readonly string[]): Promise<readonly unknown[]> {
  const { changes } = await site.planned("--prune", ...flags);
  return changes.filter(({ action }) => action === "delete").map(({ urn }) => urn);
}

/** The mutations that were sent since the given number of writes, by name. */
function sentSince(site: Site, count: number): readonly string[] {
  return writesIn(site.catalog)
    .slice(count)
    .flatMap((text) => [...text.matchAll(/o\d+: (\w+)/g)].map(([, name = ""]) => name));
}

test("without a base that is named, --prune is a wrong usage, and nothing is asked", async () => {
  const site = await siteWith({ "a.yaml": tag("a") }, "version: 1\n");

  for (const command of [["plan"], ["apply", "--auto-approve"], ["apply", "--dry-run"]]) {
    const { code, stdout, stderr } = await site.run([...command, "--prune"]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toBe(
      "error: --prune needs a base to know what was declared before; use --base <ref> or set `base` in the settings\n",
    );
  }
  expect(site.catalog.requests).toEqual([]);
});

test("what is gone from the manifests is listed without --prune, and deleted with it", async () => {
  const site = await siteWithout(["a.yaml"], { "a.yaml": tag("a", "text") });

  const { changes, unmanaged } = await site.planned();
  expect(changes).toEqual([]);
  expect(unmanaged).toMatchObject([
    { urn: "urn:li:tag:a", facet: "description", value: "text", reason: "no-longer-declared" },
  ]);
  const pruned = await site.planned("--prune");
  expect(pruned).toMatchObject({
    changes: [
      {
        action: "delete",
        kind: "Tag",
        urn: "urn:li:tag:a",
        source: { file: "catalog/a.yaml", line: 1, column: 1 },
      },
    ],
    unmanaged: [],
    summary: { delete: 1, update: 0, unchanged: 1, removals: 0, blocked: 1 },
  });

  expect(await site.apply("--prune", "--max-deletes", "1")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("- Tag urn:li:tag:a  catalog/a.yaml:1:1 in the base\n"),
  });
  expect(site.aspect("urn:li:tag:a", "tagProperties")).toBeUndefined();
  expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
  expect(await site.apply("--prune")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 1 entity in sync\.\n$/),
  });
});

test("what base does not declare is never deleted", async () => {
  const site = await siteWithout(["a.yaml"], { "a.yaml": tag("a") });
  await site.edit('createTag(input: { id: "theirs", name: "theirs" })');

  expect(await deletionsIn(site)).toEqual(["urn:li:tag:a"]);
  expect(await site.apply("--prune", "--max-deletes", "9")).toMatchObject({ code: 0 });
  expect(site.aspect("urn:li:tag:theirs", "tagProperties")).toMatchObject({ name: "theirs" });
});

const people = {
  "user.yaml": "kind: User\nid: alice\n",
  "group.yaml": "kind: Group\nid: team\n",
  "tag.yaml": tag("old"),
  "domain.yaml": "kind: Domain\nid: finance\n",
};

test.each([
  [
    "domains, tags and groups unless the settings say otherwise",
    "",
    ["corpGroup:team", "tag:old", "domain:finance"],
  ],
  ["users only where they are named", "prune: { kinds: [User] }", ["corpuser:alice"]],
  ["what the settings name", "prune: { kinds: [Group, User] }", ["corpGroup:team", "corpuser:alice"]],
  ["nothing where the settings name nothing", "prune: { kinds: [] }", []],
])("--prune deletes %s", async (_, setting, expected) => {
  const site = await siteWithout(Object.keys(people), people, settingsWith(setting));
  expect(await deletionsIn(site)).toEqual(expected.map((name) => `urn:li:${name}`));

  const before = writesIn(site.catalog).length;
  expect(await site.apply("--prune", "--max-deletes", "4")).toMatchObject({ code: 0 });
  expect(sentSince(site, before)).toHaveLength(expected.length);
  expect(await site.apply("--prune")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("No changes."),
  });
});

test("a group and a user go, and what is assigned to them is counted", async () => {
  const settings = settingsWith("prune: { kinds: [Group, User] }");
  const files = {
    "user.yaml": "kind: User\nid: alice\n",
    "group.yaml": "kind: Group\nid: team\nmembers: [alice]\n",
  };
  const site = await siteWithout(["user.yaml", "group.yaml"], files, settings);

  const { changes } = await site.planned("--prune");
  expect(changes).toMatchObject([
    { action: "delete", urn: "urn:li:corpGroup:team", assignments: 1 },
    { action: "delete", urn: "urn:li:corpuser:alice" },
  ]);
  const before = writesIn(site.catalog).length;
  expect(await site.apply("--prune", "--max-deletes", "2")).toMatchObject({ code: 0 });
  expect(sentSince(site, before)).toEqual(["removeGroupMembers", "removeGroup", "removeUser"]);
  expect(await site.apply("--prune")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("No changes."),
  });
});

test("a deletion says how many assets carry what goes", async () => {
  const site = await siteWith({ "a.yaml": tag("a"), "keep.yaml": tag("keep") });
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.catalog.load(
    metadataFile(
      temporaryDirectory(),
      ["one", "two", "three"].flatMap((name) => [
        [datasetNamed(name), "datasetProperties", { customProperties: {} }],
        [datasetNamed(name), "globalTags", { tags: [{ tag: "urn:li:tag:a" }] }],
      ]),
    ),
  );
  site.commit({ "catalog/a.yaml": undefined });

  expect((await site.planned("--prune")).changes).toMatchObject([{ urn: "urn:li:tag:a", assignments: 3 }]);
  expect((await site.plan("--prune")).stdout).toContain(
    "    also removes 3 live assignments\n      from one, three, two\n",
  );
});

test("domains are deleted one request after the other, each after those below it", async () => {
  const site = await siteWithout(["domains.yaml"], { "domains.yaml": domains });
  const urns = ["low", "middle", "top"].map((id) => `urn:li:domain:${id}`);
  expect(await deletionsIn(site)).toEqual(urns);

  const sent = site.catalog.requests.length;
  expect(await site.apply("--prune", "--max-deletes", "3")).toMatchObject({ code: 0 });
  const deletions = site.catalog.requests
    .slice(sent)
    .filter(({ body }) => JSON.stringify(body ?? "").includes("deleteDomain"));
  expect(deletions.map(({ body }) => (body as { variables: object }).variables)).toEqual(
    urns.map((urn) => ({ o0_urn: urn })),
  );
});

test("what is gone from the catalog already is no change, and the ref moves on", async () => {
  const site = await siteWithout(["a.yaml"], { "a.yaml": tag("a") });
  await site.edit('deleteTag(urn: "urn:li:tag:a")');

  expect(await site.apply("--prune")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 1 entity in sync\.\n$/),
  });
  expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
});

test("a domain is not deleted while others stay below it: the problem names them, and nothing is sent", async () => {
  const site = await siteWithout(["top.yaml", "tag.yaml"], {
    "top.yaml": "kind: Domain\nid: top\n",
    "tag.yaml": tag("old"),
    "low.yaml": "kind: Domain\nid: low\n",
  });
  await site.edit('createDomain(input: { id: "theirs", name: "theirs", parentDomain: "urn:li:domain:top" })');
  await site.edit(
    'moveDomain(input: { parentDomain: "urn:li:domain:top", resourceUrn: "urn:li:domain:low" })',
  );
  const before = writesIn(site.catalog).length;

  const { problems } = await site.planned("--prune");
  expect(problems).toMatchObject([
    {
      code: "deleted-parent",
      severity: "error",
      args: { urn: "urn:li:domain:top", below: ["urn:li:domain:low", "urn:li:domain:theirs"] },
    },
  ]);
  const refused = await site.apply("--prune", "--max-deletes", "2");
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain(
    "error deleted-parent: `urn:li:domain:top` cannot be deleted while `urn:li:domain:low` and `urn:li:domain:theirs` are below it: delete or move them in the same plan or before, or declare `urn:li:domain:top` again\n",
  );
  expect(writesIn(site.catalog)).toHaveLength(before);
  expect(site.at()).toBe(site.git("rev-parse", "HEAD~1"));

  await site.edit('deleteDomain(urn: "urn:li:domain:theirs")');
  site.commit({ "catalog/low.yaml": "kind: Domain\nid: low\nparent_domain: none\n" });
  expect(await site.apply("--prune", "--max-deletes", "2")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Applied 3 operations, 0 failed, 0 skipped\.\n$/),
  });
  expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
});

test("a domain below that a mode or a conflict keeps there is named once", async () => {
  const site = await siteWithout(
    ["top.yaml"],
    {
      "top.yaml": "kind: Domain\nid: top\n",
      "low.yaml": "kind: Domain\nid: low\nparent_domain: none\n",
    },
    settingsWith("manage: { parent_domain: merge }"),
  );
  await site.edit(
    'moveDomain(input: { parentDomain: "urn:li:domain:top", resourceUrn: "urn:li:domain:low" })',
  );

  const { problems = [] } = await site.planned("--prune", "--skip-conflicts");
  expect(problems.map(({ code, args }) => [code, args])).toEqual([
    ["deleted-value", { urn: "urn:li:domain:top", on: "urn:li:domain:low", facet: "parent_domain" }],
  ]);
});

test("a part that deletes a domain without what the whole plan deletes below it is refused", async () => {
  const site = await siteWithout(["domains.yaml"], { "domains.yaml": domains });
  const target = ["--target", "urn:li:domain:middle"];

  const { problems } = await site.planned("--prune", ...target);
  expect(problems).toMatchObject([
    { code: "deleted-parent", args: { urn: "urn:li:domain:middle", below: ["urn:li:domain:low"] } },
  ]);
  expect(await site.apply("--prune", "--max-deletes", "3", ...target)).toMatchObject({ code: 3 });
  const both = [...target, "--target", "urn:li:domain:low"];
  expect(await site.apply("--prune", "--max-deletes", "3", ...both)).toMatchObject({ code: 0 });
});

test("--target narrows what is deleted, and what the guard counts", async () => {
  const site = await siteWithout(["a.yaml", "b.yaml"], { "a.yaml": tag("a"), "b.yaml": tag("b") });

  expect(await deletionsIn(site, "--target", "urn:li:tag:a")).toEqual(["urn:li:tag:a"]);
  const pruned = await site.apply("--prune", "--target", "urn:li:tag:a", "--max-deletes", "1");
  expect(pruned.code).toBe(0);
  expect(await deletionsIn(site)).toEqual(["urn:li:tag:b"]);
  expect(site.at()).toBe(site.git("rev-parse", "HEAD~1"));
});

test("what is ignored is not deleted", async () => {
  const site = await siteWithout(["a.yaml", "b.yaml"], { "a.yaml": tag("a"), "b.yaml": tag("b") });
  site.commit({
    "catalog/datahub-gitops.yaml": settingsWith('ignore: [{ urn: "urn:li:tag:a", reason: theirs now }]'),
  });

  expect(await deletionsIn(site)).toEqual(["urn:li:tag:b"]);
});

test("a group that goes is shown as a deletion, also where a user leaves it at the same time", async () => {
  const site = await siteWith({
    "team.yaml": "kind: Group\nid: team\n",
    "alice.yaml": "kind: User\nid: alice\ngroups: [team]\n",
  });
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({
    "catalog/team.yaml": undefined,
    "catalog/alice.yaml": "kind: User\nid: alice\ngroups: []\n",
  });

  const { changes, summary } = await site.planned("--prune");
  expect(changes).toMatchObject([{ action: "delete", urn: "urn:li:corpGroup:team", assignments: 1 }]);
  expect(summary).toMatchObject({ update: 0, delete: 1, removals: 0, unchanged: 1 });
  expect((await site.plan("--prune")).stdout).toMatch(/^Server: .*\n\n- Group urn:li:corpGroup:team /);
  expect(await site.apply("--prune", "--max-deletes", "1")).toMatchObject({ code: 0 });
  expect(await site.apply("--prune")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("No changes. 1 entity"),
  });
});

test("with --changed-since, too, nothing is deleted that a manifest still refers to", async () => {
  const site = await siteWith({
    "old.yaml": tag("old"),
    "unused.yaml": tag("unused"),
    "team.yaml": "kind: Group\nid: team\n",
    "finance.yaml": "kind: Domain\nid: finance\nowners: [{ group: team }]\n",
    "orders.yaml": "kind: Dataset\nplatform: snowflake\nname: orders\ntags: [old]\n",
  });
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [datasetNamed("orders"), "datasetProperties", { customProperties: {} }],
    ]),
  );
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/broken.yaml": "kind: [Tag\n" });
  site.git("checkout", "--quiet", "-b", "a-branch");
  site.commit({
    "catalog/old.yaml": undefined,
    "catalog/unused.yaml": undefined,
    "catalog/team.yaml": undefined,
  });

  const flags = ["--changed-since", "main", "--prune", "--max-deletes", "3"];
  const before = site.catalog.aspects();
  // What cannot be read may declare it, or refer to it.
  const blind = await site.plan(...flags);
  expect(blind).toMatchObject({ code: 3, stdout: "" });
  expect(blind.stderr).toMatch(/catalog\/broken\.yaml:1:\d+ error/);
  site.commit({ "catalog/broken.yaml": undefined });
  const refused = await site.plan(...flags);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toMatch(/catalog\/finance\.yaml:3:\d+ error deleted-reference: .*corpGroup:team/);
  expect(refused.stderr).toMatch(/catalog\/orders\.yaml:4:\d+ error deleted-reference: .*tag:old/);
  expect(refused.stderr).not.toContain("unused");
  expect((await site.apply(...flags)).code).toBe(3);
  expect(site.catalog.aspects()).toEqual(before);

  site.commit({
    "catalog/orders.yaml": undefined,
    "catalog/finance.yaml": "kind: Domain\nid: finance\nowners: []\n",
  });
  expect(await site.apply(...flags)).toMatchObject({ code: 0 });
});

const orders = (domain: string): string =>
  `kind: Dataset\nplatform: snowflake\nname: orders\ndomain: ${domain}\n`;

async function makeSiteThatMoves(...settings: readonly string[]): Promise<Site> {
  const site = await siteWith(
    {
      "sales.yaml": "kind: Domain\nid: sales\n",
      "treasury.yaml": "kind: Domain\nid: treasury\n",
      "orders.yaml": orders("sales"),
    },
    settingsWith(...settings),
  );
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [datasetNamed("orders"), "datasetProperties", { customProperties: {} }],
    ]),
  );
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/sales.yaml": undefined, "catalog/orders.yaml": orders("treasury") });
  return site;
}

/** A site whose dataset stands in `sales` and moves to `treasury`, while the manifest of `sales` goes. */
const siteThatMoves = siteOnce(makeSiteThatMoves);

const pruning = ["--prune", "--max-deletes", "9"];

test("nothing is deleted where what replaces it could not be written", async () => {
  const site = await siteThatMoves();
  const url = await inFrontOf(site.catalog.url, ({ query }) =>
    query.includes("setDomain")
      ? { data: { o0: null }, errors: [{ message: "no luck", path: ["o0"] }] }
      : undefined,
  );

  const { code, stdout } = await runCli(["apply", "--auto-approve", ...pruning, "--server", url], {
    cwd: site.root,
  });
  expect(code).toBe(7);
  expect(stdout).toContain(
    `skipped: delete urn:li:domain:sales  catalog/sales.yaml:1:1 in the base\n    deletions run only after all other changes, and a change of ${datasetNamed("orders")} was not applied\n`,
  );
  expect(site.aspect(datasetNamed("orders"), "domains")).toMatchObject({ domains: ["urn:li:domain:sales"] });
  expect(site.at()).toBe(site.git("rev-parse", "HEAD~1"));

  expect(await site.apply(...pruning)).toMatchObject({ code: 0 });
  expect(site.aspect(datasetNamed("orders"), "domains")).toMatchObject({
    domains: ["urn:li:domain:treasury"],
  });
});

test("nothing is deleted as long as something could not be read, and the rest is applied", async () => {
  const site = await siteThatMoves();
  site.commit({ "catalog/new.yaml": tag("new") });
  const url = await inFrontOf(site.catalog.url, ({ query }) =>
    query.includes("... on Dataset") ? { data: null, errors: [{ message: "no luck" }] } : undefined,
  );
  const at = { cwd: site.root };

  const planned = await runCli(["plan", ...pruning, "--server", url], at);
  expect(planned.code).toBe(1);
  expect(planned.stdout).toMatch(/Plan: 1 to create, .* 0 to delete; .*\n$/);
  const line =
    "`urn:li:domain:sales` is not deleted yet: not everything could be read, and something unread may still refer to it";
  expect(planned.stderr).toContain(`warning deletion-held: ${line}\n`);
  const markdown = await runCli(["plan", ...pruning, "--server", url, "--format", "markdown"], at);
  expect(markdown.stdout).toContain("`urn:li:domain:sales` is not deleted yet");

  expect((await runCli(["apply", "--auto-approve", ...pruning, "--server", url], at)).code).toBe(1);
  expect(site.aspect("urn:li:domain:sales", "domainProperties")).toMatchObject({ name: "sales" });
  expect(site.aspect("urn:li:tag:new", "tagProperties")).toMatchObject({ name: "new" });
});

test("nothing is deleted of which it could not be read what refers to it", async () => {
  const site = await siteWithout(["a.yaml", "b.yaml"], { "a.yaml": tag("a"), "b.yaml": tag("b") });
  const known = await site.plan("--prune");
  expect(known.stdout).not.toContain("assignments");

  const isAbout = (request: StubRequest): boolean =>
    request.query.includes("ReadReferring") && JSON.stringify(request.variables).includes("urn:li:tag:a");
  const url = await inFrontOf(site.catalog.url, (request) =>
    isAbout(request) ? { data: null, errors: [{ message: "no luck" }] } : undefined,
  );
  const { code, stdout, stderr } = await runCli(
    ["apply", "--auto-approve", "--prune", "--max-deletes", "2", "--server", url],
    { cwd: site.root },
  );
  expect(code).toBe(1);
  expect(stdout).not.toContain("- Tag");
  expect(stderr).toContain("error read-failed: could not read `urn:li:tag:a`: no luck\n");
  expect(stderr).toContain("warning deletion-held: `urn:li:tag:b` is not deleted yet");
  expect(site.aspect("urn:li:tag:a", "tagProperties")).toBeDefined();
  expect(site.aspect("urn:li:tag:b", "tagProperties")).toBeDefined();
});

test("of more assignments than the index counts a deletion says that their number is not known", async () => {
  const site = await siteWithout(["a.yaml"], { "a.yaml": tag("a") });
  const url = await inFrontOf(site.catalog.url, ({ query }) =>
    query.includes("ReadReferring")
      ? {
          data: {
            entities: [
              {
                urn: "urn:li:tag:a",
                aspects: [],
                relationships: {
                  total: 10_000,
                  relationships: [{ type: "TaggedWith", entity: { urn: datasetNamed("one") } }],
                },
              },
            ],
          },
        }
      : undefined,
  );
  const unknown = "also removes its live assignments (number unknown)";
  const planned = async (...flags: readonly string[]): Promise<string> =>
    (await runCli(["plan", "--prune", "--server", url, ...flags], { cwd: site.root })).stdout;
  expect(await planned()).toContain(`    ${unknown}\n`);
  expect(await planned("--format", "markdown")).toContain(`- Tag urn:li:tag:a  ${unknown}  `);
  const { changes } = JSON.parse(await planned("--format", "json")) as Pick<PlanJson, "changes">;
  expect(changes[0]).not.toHaveProperty("assignments");
});

test("nothing is deleted that stays as somebody's value, by --skip-conflicts or by a mode", async () => {
  const merging = await siteThatMoves("manage: { domain: merge }");
  await merging.edit('createDomain(input: { id: "theirs", name: "theirs" })');
  merging.commit({ "catalog/theirs.yaml": "kind: Domain\nid: theirs\n" });
  expect(await merging.apply("--skip-conflicts")).toMatchObject({ code: 0 });
  await merging.edit(`setDomain(entityUrn: "${datasetNamed("orders")}", domainUrn: "urn:li:domain:theirs")`);
  merging.commit({ "catalog/theirs.yaml": undefined, "catalog/orders.yaml": orders("sales") });
  merging.commit({ "catalog/sales.yaml": "kind: Domain\nid: sales\n" });

  const skipped = await merging.apply(...pruning, "--skip-conflicts");
  expect(skipped.code).toBe(3);
  expect(skipped.stderr).toContain(
    `catalog/orders.yaml:4:1 error deleted-value: \`urn:li:domain:theirs\` is kept in \`domain\` of \`${datasetNamed("orders")}\`, but this plan deletes it`,
  );
  expect(await merging.apply(...pruning, "--force-conflicts")).toMatchObject({ code: 0 });

  const adding = await siteThatMoves("manage: { domain: additive }");
  const kept = await adding.apply(...pruning);
  expect(kept.code).toBe(3);
  expect(kept.stderr).toContain("error deleted-value: `urn:li:domain:sales` is kept in `domain` of");
  expect(adding.aspect(datasetNamed("orders"), "domains")).toMatchObject({
    domains: ["urn:li:domain:sales"],
  });
});

test.each([
  ["{ facet: tags, value: 'urn:li:tag:dbt:*', reason: of dbt }", 3],
  ["{ value: '*:dbt:*', reason: of dbt }", 3],
  ["{ facet: description, value: '*', reason: of dbt }", 0],
  ["{ facet: owners, value: '*', reason: of dbt }", 0],
  ["{ facet: tags, value: 'urn:li:tag:other', reason: of dbt }", 0],
])("with the rule %s a deletion of what it may cover ends with %i", async (rule, expected) => {
  const site = await siteWithout(["a.yaml"], { "a.yaml": tag("dbt:a") });
  site.commit({ "catalog/datahub-gitops.yaml": settingsWith(`ignore: [${rule}]`) });

  const { code, stderr } = await site.apply(...pruning);
  expect(code).toBe(expected);
  if (expected === 0) return;
  expect(stderr).toContain(
    "error deletion-ignored: this rule keeps `urn:li:tag:dbt:a` wherever it is assigned (of dbt), but this plan deletes it",
  );
  expect(stderr).toMatch(/catalog\/datahub-gitops\.yaml:3:\d+ error/);
});

const values = settingsWith("prune: { assignments: true }");
const edge = {
  "people.yaml": "- { kind: User, id: alice }\n- { kind: Group, id: team, members: [alice] }\n",
};

test("a membership that moves to the user's manifest is not pruned, also in a plan of the group alone", async () => {
  const site = await siteWithout([], edge, values);
  site.commit({
    "catalog/people.yaml": "- { kind: User, id: alice, groups: [team] }\n- { kind: Group, id: team }\n",
  });

  for (const flags of [[], ["--target", "urn:li:corpGroup:team"], ["--changed-since", "HEAD~1"]]) {
    const { changes } = await site.planned("--prune", ...flags);
    expect(changes).toEqual([]);
  }
});

test("values are pruned by the setting alone, and counted by the guard of removals", async () => {
  const group = "kind: Group\nid: team\n";
  const site = await siteWithout([], edge, settingsWith());
  site.commit({ "catalog/people.yaml": `kind: User\nid: alice\n---\n${group}` });

  expect(await site.planned("--prune")).toMatchObject({
    changes: [],
    unmanaged: [{ urn: "urn:li:corpGroup:team", facet: "members", reason: "no-longer-declared" }],
  });
  site.commit({ "catalog/datahub-gitops.yaml": values });
  expect(await site.planned("--prune", "--max-removals", "0")).toMatchObject({
    changes: [
      {
        urn: "urn:li:corpGroup:team",
        facet: "members",
        remove: ["urn:li:corpuser:alice"],
        pruned: true,
        source: { file: "catalog/people.yaml", line: 2 },
      },
    ],
    unmanaged: [],
    summary: { removals: 1, blocked: 1 },
  });
  expect(await site.planned()).toMatchObject({ changes: [], unmanaged: [{ facet: "members" }] });
  expect(await site.planned("--prune", "--target", "urn:li:corpGroup:*")).toMatchObject({
    changes: [{ facet: "members", remove: ["urn:li:corpuser:alice"], pruned: true }],
    unmanaged: [],
  });
});

test("after half a rename a plan warns of what still refers to the former id", async () => {
  const site = await siteWith({
    "finance.yaml": "kind: Domain\nid: fin\n",
    "books.yaml": "kind: Domain\nid: books\nparent_domain: fin\n",
  });
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/finance.yaml": "kind: Domain\nid: finance\n" });
  const { code, stderr } = await site.plan();
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /catalog\/books\.yaml:3:\d+ warning no-longer-declared: refers to `urn:li:domain:fin`/,
  );
  site.commit({ "catalog/books.yaml": "kind: Domain\nid: books\nparent_domain: finance\n" });
  expect((await site.plan()).stderr).not.toContain("no-longer-declared");
});
