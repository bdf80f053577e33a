import { describe, expect, test } from "vitest";
import { createAspectClient } from "../../src/datahub/aspect-client.ts";
import { createWriter } from "../../src/datahub/client.ts";
import { connectionTo } from "../../src/datahub/connection.ts";
import { applyPlan } from "../../src/library/apply-plan.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { parseSaved } from "../../src/report/saved/saved-report.ts";
import { metadataFile, type MadeAspect, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed, urn } from "../support/states.ts";
import type { StubAnswer } from "../support/stub-server.ts";

const orders = datasetNamed("orders");
const dataset = "kind: Dataset\nplatform: snowflake\nname: orders\n";
const [alice, bob] = ["urn:li:corpuser:alice", "urn:li:corpuser:bob"];

const user = (of: string): MadeAspect => [of, "corpUserInfo", { active: true }];
const tag = (id: string, more: object = {}): MadeAspect => [
  `urn:li:tag:${id}`,
  "tagProperties",
  { name: id, ...more },
];
const domain = (id: string, parent?: string): MadeAspect => [
  `urn:li:domain:${id}`,
  "domainProperties",
  { name: id, ...(parent !== undefined && { parentDomain: `urn:li:domain:${parent}` }) },
];
const tagged = (...ids: readonly string[]): MadeAspect => [
  orders,
  "globalTags",
  { tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })) },
];
const inDomain = (id: string): MadeAspect => [orders, "domains", { domains: [`urn:li:domain:${id}`] }];

interface Outcome {
  readonly status: string;
  readonly operation: string;
  readonly urn: string;
  readonly [field: string]: unknown;
}

interface World extends Site {
  /** Applies, with edits of others while the question stands open. */
  readonly applied: (edit: (world: World) => Promise<unknown>) => Promise<Applied>;
  /** Writes an aspect as another client of the server. */
  readonly put: (of: string, aspect: string, value: JsonObject) => Promise<unknown>;
}

interface Applied {
  readonly code: number;
  readonly outcomes: readonly Outcome[];
  readonly summary: Readonly<Record<string, number>>;
  readonly stderr: string;
}

/** A repository with one manifest file, and a catalog that holds these aspects. */
async function worldOf(
  manifest: string,
  aspects: readonly MadeAspect[],
  settings = settingsWith(),
): Promise<World> {
  const site = await siteWith({ "all.yaml": manifest }, settings);
  if (aspects.length > 0) await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  const client = createAspectClient(connectionTo(site.catalog.url));
  const world: World = {
    ...site,
    put: async (of, aspect, value) => {
      const { version } = await client.read(urn(of), aspect);
      return client.write([{ urn: urn(of), aspect, value, version }]);
    },
    applied: async (edit) => {
      const options = { answers: ["yes"], meanwhile: () => edit(world) };
      const { code, stdout, stderr } = await site.run(["apply", "--format", "json"], options);
      return { code, stderr, ...(JSON.parse(stdout) as Pick<Applied, "outcomes" | "summary">) };
    },
  };
  return world;
}

const merge = settingsWith(
  "manage: { tags: merge, domain: merge, description: merge, owners: merge, members: merge }",
);

async function deleteDataset({ catalog }: Site): Promise<void> {
  const path = `${catalog.url}/openapi/v3/entity/dataset/${encodeURIComponent(orders)}`;
  expect((await fetch(path, { method: "DELETE" })).status).toBe(200);
}

describe("what changed while the question stood open is not overwritten", () => {
  test("a dataset that is gone does not come back as a ghost, and the ref stays", async () => {
    const world = await worldOf(`${dataset}owners: [{ user: alice }]\n`, [user(alice), tagged("x")]);

    const { code, outcomes, summary, stderr } = await world.applied(deleteDataset);

    expect(code).toBe(6);
    expect(outcomes).toEqual([
      {
        status: "stale",
        urn: orders,
        facet: "owners",
        operation: "addOwner",
        elements: [{ owner: alice, type: "urn:li:ownershipType:__system__technical_owner" }],
        because: `${orders} is no longer in the catalog`,
      },
    ]);
    expect(summary).toEqual({ applied: 0, failed: 0, skipped: 0, stale: 1 });
    expect(stderr).toContain("was not moved: not all was applied");
    expect(world.at()).toBeUndefined();
    expect(world.catalog.aspects().filter((row) => row.urn === orders)).toEqual([]);
  });

  test("a dataset that was soft-deleted is left alone", async () => {
    const world = await worldOf(`${dataset}owners: [{ user: alice }]\n`, [user(alice), tagged("x")]);

    const { code, outcomes } = await world.applied(({ put }) => put(orders, "status", { removed: true }));

    expect(code).toBe(6);
    expect(outcomes).toMatchObject([{ because: `${orders} was soft-deleted after the plan was made` }]);
  });

  test("a description that somebody rewrote stays, and the other fields of its aspect are written", async () => {
    const world = await worldOf("kind: Tag\nid: t\nname: New\ndescription: new\n", [
      tag("t", { description: "old" }),
    ]);

    const { code, outcomes } = await world.applied(({ put }) =>
      put("urn:li:tag:t", "tagProperties", { name: "t", description: "theirs", colorHex: "#fff" }),
    );

    expect(code).toBe(6);
    expect(outcomes).toEqual([
      { status: "applied", urn: "urn:li:tag:t", facet: "name", operation: "ingestProposal tagProperties" },
      {
        status: "stale",
        urn: "urn:li:tag:t",
        facet: "description",
        operation: "ingestProposal tagProperties",
        because: "its value was changed after the plan was made",
        expected: "old",
        found: "theirs",
      },
    ]);
    expect(world.aspect("urn:li:tag:t", "tagProperties")).toEqual({
      name: "New",
      description: "theirs",
      colorHex: "#fff",
    });
  });

  test("a tag that was deleted is not created again", async () => {
    const world = await worldOf("kind: Tag\nid: t\ndescription: new\n", [tag("t", { description: "old" })]);

    const { code, outcomes } = await world.applied(({ edit }) => edit('deleteTag(urn: "urn:li:tag:t")'));

    expect(code).toBe(6);
    expect(outcomes).toMatchObject([
      { status: "stale", because: "urn:li:tag:t is no longer in the catalog" },
    ]);
    expect(world.aspect("urn:li:tag:t", "tagProperties")).toBeUndefined();
  });

  test("a tag that somebody created keeps its name, and what refers to it is skipped", async () => {
    const world = await worldOf(`- { kind: Tag, id: t }\n- { ${flow(dataset)}, tags: [t] }\n`, [
      tagged(),
      tag("x"),
    ]);

    const { code, outcomes } = await world.applied(({ edit }) =>
      edit('createTag(input: { id: "t", name: "Theirs" })'),
    );

    expect(code).toBe(6);
    expect(outcomes).toMatchObject([
      { status: "stale", because: "urn:li:tag:t was created after the plan was made" },
      {
        status: "skipped",
        urn: orders,
        because: "it depends on a change of urn:li:tag:t, which is stale",
      },
    ]);
    expect(world.aspect("urn:li:tag:t", "tagProperties")).toMatchObject({ name: "Theirs" });
    expect(world.aspect(orders, "globalTags")).toEqual({ tags: [] });
  });

  test("a domain that was set to another is not unset, and the rest goes on", async () => {
    const world = await worldOf(`${dataset}domain: none\ntags: [t]\n`, [
      inDomain("a"),
      domain("a"),
      domain("c"),
      tag("t"),
    ]);

    const { code, outcomes } = await world.applied(({ edit }) =>
      edit(`setDomain(entityUrn: "${orders}", domainUrn: "urn:li:domain:c")`),
    );

    expect(code).toBe(6);
    expect(outcomes).toMatchObject([
      { status: "stale", operation: "unsetDomain", expected: "urn:li:domain:a", found: "urn:li:domain:c" },
      { status: "applied", operation: "addTags" },
    ]);
    expect(world.aspect(orders, "domains")).toMatchObject({ domains: ["urn:li:domain:c"] });
  });

  test("a set that got another element is not written where it is ours as a whole", async () => {
    const world = await worldOf(`${dataset}tags: [new]\n`, [tagged("old"), tag("new"), tag("ui")]);

    const { code, outcomes } = await world.applied(addTag("ui"));

    expect(code).toBe(6);
    expect(outcomes).toMatchObject([
      { operation: "addTags", status: "stale", because: "its values were changed after the plan was made" },
      { operation: "removeTag", status: "stale" },
    ]);
  });

  test("a column that is gone from the schema is left alone", async () => {
    const world = await worldOf(`${dataset}columns:\n  email: { tags: [t] }\n`, [
      [orders, "schemaMetadata", schemaWith("email")],
      tag("t"),
    ]);

    const { code, outcomes } = await world.applied(({ put }) =>
      put(orders, "schemaMetadata", schemaWith("mail")),
    );

    expect(code).toBe(6);
    expect(outcomes).toMatchObject([{ column: "email", because: "its column is no longer in the schema" }]);
  });

  test("a value that changed between the last look and the write is seen by its version", async () => {
    const world = await worldOf("kind: Tag\nid: t\nname: New\ndescription: new\n", [
      tag("t", { description: "old" }),
    ]);
    let edits = 0;
    const server = await inFrontOf(world.catalog.url, async (_request, _response, { url }) => {
      if (url.startsWith("/aspects?") && edits++ === 0)
        await world.put("urn:li:tag:t", "tagProperties", { name: "t", description: "theirs" });
    });

    const { code, stdout } = await runCli(["apply", "--auto-approve", "--server", server], {
      cwd: world.root,
    });

    expect(code).toBe(6);
    expect(stdout).toMatch(/Applied 1 operation, 0 failed, 0 skipped, 1 stale\.\n$/);
    expect(world.aspect("urn:li:tag:t", "tagProperties")).toEqual({ name: "New", description: "theirs" });
  });
});

describe("what changed and does not matter is no reason to hold back", () => {
  test("a value that is as the plan would leave it is done, and nothing is sent", async () => {
    const world = await worldOf(`${dataset}domain: c\ntags: [t]\n`, [
      inDomain("a"),
      domain("a"),
      domain("c"),
      tag("t"),
    ]);
    let before = 0;

    const { code, outcomes } = await world.applied(async (those) => {
      await those.edit(`setDomain(entityUrn: "${orders}", domainUrn: "urn:li:domain:c")`);
      await addTag("t")(those);
      before = writesIn(those.catalog).length;
    });

    expect(code).toBe(0);
    expect(outcomes.map(({ status, operation }) => [status, operation])).toEqual([
      ["applied", "setDomain"],
      ["applied", "addTags"],
    ]);
    expect(writesIn(world.catalog).slice(before)).toEqual([]);
    expect(world.at()).toBeDefined();
  });

  test("a set that somebody took half the way is taken the rest", async () => {
    const world = await worldOf(`${dataset}tags: [new, other]\n`, [tagged("old"), tag("new"), tag("other")]);

    const { code } = await world.applied(async (those) => {
      await addTag("other")(those);
      await those.edit(`removeTag(input: { tagUrn: "urn:li:tag:old", resourceUrn: "${orders}" })`);
    });

    expect(code).toBe(0);
    expect(world.aspect(orders, "globalTags")).toMatchObject({
      tags: expect.arrayContaining([
        expect.objectContaining({ tag: "urn:li:tag:new" }),
        expect.objectContaining({ tag: "urn:li:tag:other" }),
      ]),
    });
  });

  test("what others add under merge, and what an ignore rule covers, is theirs", async () => {
    const ignoring = settingsWith("ignore: [{ facet: tags, value: 'urn:li:tag:dbt:*', reason: dbt }]");
    for (const [settings, id] of [
      [merge, "ui"],
      [ignoring, "dbt:a"],
    ] as const) {
      const world = await worldOf(`${dataset}tags: [new]\n`, [tagged(), tag("new"), tag(id)], settings);

      expect(await world.applied(addTag(id))).toMatchObject({ code: 0 });
      expect(JSON.stringify(world.aspect(orders, "globalTags"))).toMatch(new RegExp(`${id}.*new`));
    }
  });

  test("an entity that somebody deleted is deleted", async () => {
    const world = await worldOf(
      "- { kind: Tag, id: a }\n- { kind: Tag, id: b }\n",
      [],
      settingsWith("guards: { deletes: { max_count: 1 }, vanished: { min_existing: 10 } }"),
    );
    expect(await world.apply()).toMatchObject({ code: 0 });
    world.commit({ "catalog/all.yaml": "- { kind: Tag, id: a }\n" });
    const options = {
      answers: ["yes"],
      meanwhile: () => world.edit('deleteTag(urn: "urn:li:tag:b")'),
    };

    const { code, stdout } = await world.run(["apply", "--prune"], options);

    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Applied 1 operation"),
    });
  });
});

describe("a domain that moves", () => {
  const moving = "- { kind: Domain, id: a, parent_domain: c }\n";
  const live = [domain("a"), domain("b"), domain("c", "b")];

  test("is held back where something above its new parent was moved below it: no circle comes about", async () => {
    const world = await worldOf(moving, live);

    const { code, outcomes } = await world.applied(({ put }) =>
      put("urn:li:domain:b", "domainProperties", { name: "b", parentDomain: "urn:li:domain:a" }),
    );

    expect(code).toBe(6);
    expect(outcomes).toMatchObject([
      { status: "stale", because: "urn:li:domain:b was moved after the plan was made" },
    ]);
    expect(world.aspect("urn:li:domain:a", "domainProperties")).toEqual({ name: "a" });
  });

  test("is held back where its new parent is gone", async () => {
    const world = await worldOf(moving, live);

    const { code, outcomes } = await world.applied(({ edit }) =>
      edit('deleteDomain(urn: "urn:li:domain:c")'),
    );

    expect(code).toBe(6);
    expect(outcomes).toMatchObject([{ because: "urn:li:domain:c is no longer in the catalog" }]);
  });
});

test("a manager who is gone is not written", async () => {
  const world = await worldOf("kind: User\nid: alice\nmanager_urn: bob\n", [user(alice), user(bob)]);

  const { code, outcomes } = await world.applied(({ edit }) => edit(`removeUser(urn: "${bob}")`));

  expect(code).toBe(6);
  expect(outcomes).toMatchObject([{ status: "stale", because: `${bob} is no longer in the catalog` }]);
});

describe("members", () => {
  const group = "urn:li:corpGroup:g";
  const members = (...users: readonly string[]): readonly MadeAspect[] => [
    [group, "origin", { type: "NATIVE" }],
    [group, "corpGroupInfo", { admins: [], members: [], groups: [] }],
    ...["alice", "bob", "carol"].map((id) => user(`urn:li:corpuser:${id}`)),
    ...users.map((id): MadeAspect => [
      `urn:li:corpuser:${id}`,
      "nativeGroupMembership",
      { nativeGroups: [group] },
    ]),
  ];
  const add = (id: string) => (world: World) =>
    world.edit(`addGroupMembers(input: { groupUrn: "${group}", userUrns: ["urn:li:corpuser:${id}"] })`);

  test.each<readonly [string, string, string, number]>([
    ["somebody who joined holds back a list that is ours", settingsWith(), "carol", 6],
    ["somebody who joined is no concern of a list under merge", merge, "carol", 0],
    ["somebody who joined and shall is done", settingsWith(), "alice", 0],
  ])("%s", async (_, settings, newcomer, code) => {
    const world = await worldOf("kind: Group\nid: g\nmembers: [alice]\n", members("bob"), settings);

    expect(await world.applied(add(newcomer))).toMatchObject({ code });
    expect(world.aspect("urn:li:corpuser:bob", "nativeGroupMembership")).toEqual({
      nativeGroups: code === 0 && settings !== merge ? [] : [group],
    });
  });

  test("that somebody removed already are removed, and those that stay are not asked about", async () => {
    const world = await worldOf("kind: Group\nid: g\nmembers: [alice, carol]\n", members("alice", "bob"));

    const { code } = await world.applied((those) =>
      those.edit(`removeGroupMembers(input: { groupUrn: "${group}", userUrns: ["${bob}"] })`),
    );

    expect(code).toBe(0);
    expect(world.aspect("urn:li:corpuser:carol", "nativeGroupMembership")).toEqual({ nativeGroups: [group] });
  });

  test("that users list for themselves are judged for them alone", async () => {
    const world = await worldOf("kind: User\nid: alice\ngroups: [g]\n", members("bob"));

    expect(await world.applied(add("carol"))).toMatchObject({ code: 0 });
  });
});

describe("the last look", () => {
  const manifest = "- { kind: Tag, id: t, description: new }\n- { kind: Tag, id: u }\n";

  /** A server in front of the catalog that treats requests otherwise once the plan is made. */
  async function afterPlan(
    world: World,
    options: { readonly treat: StubAnswer; readonly interrupted?: AbortSignal },
  ): Promise<Ran> {
    let isPlanned = false;
    const server = await inFrontOf(world.catalog.url, (...asked) =>
      isPlanned ? options.treat(...asked) : undefined,
    );
    const { interrupted } = options;
    return runCli(["apply", "--format", "json", "--server", server], {
      cwd: world.root,
      answers: ["yes"],
      meanwhile: async () => {
        isPlanned = true;
      },
      ...(interrupted && { interrupted }),
    });
  }

  test("that fails leaves everything unwritten, and says so", async () => {
    const world = await worldOf(manifest, [tag("t", { description: "old" })]);

    const { code, stdout } = await afterPlan(world, {
      treat: ({ query }, response) => (query.startsWith("query") ? response.writeHead(503).end() : undefined),
    });

    expect(code).toBe(1);
    expect((JSON.parse(stdout) as Applied).outcomes).toMatchObject([
      { status: "skipped", because: expect.stringMatching(/answered HTTP 503 \(tried 5 times\)$/) },
      { status: "skipped" },
    ]);
    expect(writesIn(world.catalog)).toEqual([]);
  });

  test("ends at once when somebody presses Ctrl-C, and nothing is sent", async () => {
    const world = await worldOf(manifest, [tag("t", { description: "old" })]);
    const interruption = new AbortController();

    const { code, stdout } = await afterPlan(world, {
      interrupted: interruption.signal,
      // It never answers: who waited for it would wait for ever.
      treat: () => {
        interruption.abort(new Error("interrupted"));
        return new Promise(() => {});
      },
    });

    expect(code).toBe(130);
    expect((JSON.parse(stdout) as Applied).outcomes).toMatchObject([
      { status: "skipped", because: "interrupted" },
      { status: "skipped", because: "interrupted" },
    ]);
    expect(writesIn(world.catalog)).toEqual([]);
  });

  test("sees a rewritten value on a server that cannot read versions in batches", async () => {
    const world = await worldOf(manifest, [tag("t", { description: "old" })]);
    let edited = false;

    const { code, stdout } = await afterPlan(world, {
      treat: async (_, response, { url }) => {
        if (!url.startsWith("/openapi/")) return;
        if (!edited) {
          await world.put("urn:li:tag:t", "tagProperties", { name: "t", description: "theirs" });
        }
        edited = true;
        response.writeHead(404).end();
      },
    });

    expect(code).toBe(6);
    expect((JSON.parse(stdout) as Applied).outcomes).toMatchObject([
      { status: "stale", urn: "urn:li:tag:t", found: "theirs" },
      { status: "applied", urn: "urn:li:tag:u" },
    ]);
  });

  test("knows a number that JavaScript cannot hold again", async () => {
    const world = await worldOf("kind: User\nid: alice\ndepartment_id: 7\n", [
      [alice, "corpUserInfo", { active: true, departmentId: 1 }],
    ]);
    const path = `${world.catalog.url}/aspects?action=ingestProposal`;
    const value = '{"active":true,"departmentId":9007199254740993}';
    const proposal = {
      entityType: "corpuser",
      entityUrn: alice,
      changeType: "UPSERT",
      aspectName: "corpUserInfo",
      aspect: { value, contentType: "application/json" },
    };
    const headers = { "content-type": "application/json" };
    await fetch(path, { method: "POST", headers, body: JSON.stringify({ proposal, async: "false" }) });

    expect(await world.applied(async () => {})).toMatchObject({ code: 0 });
    expect(world.aspect(alice, "corpUserInfo")).toEqual({ active: true, departmentId: 7 });
  });

  test("needs nothing but the plan, as it was saved", async () => {
    const world = await worldOf(`- { ${flow(dataset)}, tags: [new] }\n- { kind: Tag, id: t, name: N }\n`, [
      tagged("old"),
      tag("new"),
      tag("ui"),
      tag("t"),
    ]);
    const { stdout } = await world.plan("--format", "json");
    await addTag("ui")(world);
    const saved = parseSaved(stdout);
    if (!("plan" in saved)) throw new Error(JSON.stringify(saved));

    const { outcomes } = await applyPlan(saved.plan, createWriter(connectionTo(world.catalog.url)));

    expect(outcomes.map(({ status, operation }) => [status, operation.changes[0]?.urn])).toEqual([
      ["applied", "urn:li:tag:t"],
      ["stale", orders],
      ["stale", orders],
    ]);
  });
});

function addTag(id: string): (world: World) => Promise<void> {
  return ({ edit }) => edit(`addTag(input: { tagUrn: "urn:li:tag:${id}", resourceUrn: "${orders}" })`);
}

function flow(text: string): string {
  return text.trim().split("\n").join(", ");
}
