import { describe, expect, test } from "vitest";
import { createAspectClient } from "../../src/datahub/aspect-client.ts";
import { connectionTo } from "../../src/datahub/connection.ts";
import { metadataFile, type MadeAspect, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { type Site, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed, urn } from "../support/states.ts";
import type { StubAnswer } from "../support/stub-server.ts";

// What is stale is in `test/plan/recheck/verdict.test.ts`, and what is read for it in `test/sync/read/changed.test.ts`.

const orders = datasetNamed("orders");

interface Applied {
  readonly outcomes: readonly Readonly<Record<string, unknown>>[];
}

/** A site with one manifest file, and a catalog that holds these aspects. */
async function siteOf(manifest: string, aspects: readonly MadeAspect[]): Promise<Site> {
  const site = await siteWith({ "all.yaml": manifest });
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  return site;
}

const tag = (id: string, more: object = {}): MadeAspect => [
  `urn:li:tag:${id}`,
  "tagProperties",
  { name: id, ...more },
];

/** Another client of the server rewrites the description of a tag. */
async function rewrite({ catalog }: Site, more: object = {}): Promise<void> {
  const client = createAspectClient(connectionTo(catalog.url));
  const [of, aspect] = [urn("urn:li:tag:t"), "tagProperties"];
  const { version } = await client.read(of, aspect);
  await client.write([{ urn: of, aspect, value: { name: "t", description: "theirs", ...more }, version }]);
}

test("a value that somebody changed while the question stood open stays, and the rest of its aspect is written", async () => {
  const site = await siteOf("kind: Tag\nid: t\nname: New\ndescription: new\n", [
    tag("t", { description: "old" }),
  ]);

  const { code, stdout, stderr } = await site.run(["apply", "--format", "json"], {
    answers: ["yes"],
    meanwhile: () => rewrite(site, { colorHex: "#fff" }),
  });

  expect(code).toBe(6);
  expect(JSON.parse(stdout)).toMatchObject({ summary: { applied: 1, failed: 0, skipped: 0, stale: 1 } });
  expect((JSON.parse(stdout) as Applied).outcomes).toEqual([
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
  expect(stderr).toContain(", because not all changes were applied");
  expect(site.at()).toBeUndefined();
  expect(site.aspect("urn:li:tag:t", "tagProperties")).toEqual({
    name: "New",
    description: "theirs",
    colorHex: "#fff",
  });
});

test("a value that somebody made what the plan makes of it is done: nothing is sent, and the ref is made", async () => {
  const site = await siteOf("kind: Dataset\nplatform: snowflake\nname: orders\ntags: [t]\n", [
    [orders, "globalTags", { tags: [] }],
    tag("t"),
  ]);
  let before = 0;

  const { code, stdout } = await site.run(["apply", "--format", "json"], {
    answers: ["yes"],
    meanwhile: async () => {
      await site.edit(`addTag(input: { tagUrn: "urn:li:tag:t", resourceUrn: "${orders}" })`);
      before = writesIn(site.catalog).length;
    },
  });

  expect(code).toBe(0);
  expect((JSON.parse(stdout) as Applied).outcomes).toMatchObject([
    { status: "applied", operation: "addTags" },
  ]);
  expect(writesIn(site.catalog).slice(before)).toEqual([]);
  expect(site.at()).toBe(site.at("HEAD"));
});

describe("the last look", () => {
  const twoTags = (): Promise<Site> =>
    siteOf("- { kind: Tag, id: t, description: new }\n- { kind: Tag, id: u }\n", [
      tag("t", { description: "old" }),
    ]);

  /** A server in front of the catalog that treats requests otherwise once the plan is made. */
  async function afterPlan(
    site: Site,
    options: { readonly treat: StubAnswer; readonly interrupted?: AbortSignal },
  ): Promise<Ran> {
    let isPlanned = false;
    const server = await inFrontOf(site.catalog.url, (...asked) =>
      isPlanned ? options.treat(...asked) : undefined,
    );
    const { interrupted } = options;
    return runCli(["apply", "--format", "json", "--server", server], {
      cwd: site.root,
      answers: ["yes"],
      meanwhile: async () => {
        isPlanned = true;
      },
      ...(interrupted && { interrupted }),
    });
  }

  test("that fails leaves everything unwritten, and says so", async () => {
    const site = await twoTags();

    const { code, stdout } = await afterPlan(site, {
      treat: ({ query }, response) => (query.startsWith("query") ? response.writeHead(503).end() : undefined),
    });

    expect(code).toBe(1);
    expect((JSON.parse(stdout) as Applied).outcomes).toMatchObject([
      { status: "skipped", because: expect.stringMatching(/responded with HTTP 503 \(tried 5 times\)$/) },
      { status: "skipped" },
    ]);
    expect(writesIn(site.catalog)).toEqual([]);
  });

  test("ends at once when somebody presses Ctrl-C, and nothing is sent", async () => {
    const site = await twoTags();
    const interruption = new AbortController();

    const { code, stdout } = await afterPlan(site, {
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
    expect(writesIn(site.catalog)).toEqual([]);
  });

  test("sees a rewritten value on a server that cannot read versions in batches", async () => {
    const site = await twoTags();
    let edited = false;

    const { code, stdout } = await afterPlan(site, {
      treat: async (_, response, { url }) => {
        if (!url.startsWith("/openapi/")) return;
        if (!edited) await rewrite(site);
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
});
