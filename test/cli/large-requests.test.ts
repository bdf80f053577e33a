import { describe, expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { schemaWith } from "../support/schema.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import type { StubAnswer } from "../support/stub-server.ts";

const names = Array.from({ length: 25 }, (_, index) => `t${index + 10}`);

const world: readonly MadeAspect[] = [
  ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
  ["urn:li:corpuser:ann", "corpUserInfo", { active: true }],
  ...names.flatMap((name): readonly MadeAspect[] => [
    [datasetNamed(name), "status", { removed: false }],
    [datasetNamed(name), "schemaMetadata", schemaWith("email", "id")],
  ]),
];

const manifests = names
  .map(
    (name) => `kind: Dataset
platform: snowflake
name: ${name}
tags: [pii]
owners: [{ user: ann }]
columns: { email: { tags: [pii] } }
`,
  )
  .join("---\n");

/** A repository of these datasets, and a catalog behind a gateway that passes on requests for at most so many entities. */
async function siteBehind(maxBatch: number, ...settings: readonly string[]): Promise<Site> {
  const site = await siteWith({ "all.yaml": manifests }, settingsWith(...settings), { maxBatch });
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  return site;
}

/** How often the same request for several entities was sent, at most. */
function maxRepeated({ catalog }: Site, most: number): number {
  const counts = new Map<string, number>();
  for (const { path, body } of catalog.requests) {
    const { variables } = (body ?? {}) as { readonly variables?: Readonly<Record<string, unknown>> };
    const lists = [body, ...Object.values(variables ?? {})].filter(Array.isArray);
    if (!lists.some(({ length }) => length > most)) continue;
    const key = JSON.stringify([path, body]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Math.max(...counts.values());
}

describe.each([
  ["GraphQL"],
  ["OpenAPI", "reads: openapi"],
  ["GraphQL, and proposals", "writes: conditional"],
  ["OpenAPI, and proposals", "reads: openapi", "writes: conditional"],
])("by %s", (_, ...settings) => {
  test.each([6, 1])(
    "what a gateway passes on only in requests of %i entities is planned, applied, and in sync then",
    async (most) => {
      const site = await siteBehind(most, ...settings);
      const { changes } = await site.planned();
      expect(changes).toHaveLength(3 * names.length);
      const applied = await site.apply();
      expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining(", 0 failed, 0 skipped.")]);
      expect((await site.planned()).changes).toEqual([]);
      expect(maxRepeated(site, most)).toBeLessThan(5);
    },
  );
});

/** Answers as a gateway does that cannot pass on an answer for more than ten entities. */
const failing: Readonly<Record<string, StubAnswer>> = {
  "HTTP 502": (_, response) => void response.writeHead(502).end("<html>"),
  "half an answer": (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"data": {"entities": [');
  },
  "an answer that ends with its connection": (_, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write('{"data": ', () => response.destroy());
  },
};

test.each(Object.entries(failing))(
  "a read that gets %s is halved, and the size that works is kept",
  async (_, fail) => {
    const site = await siteWith({ "all.yaml": manifests });
    await site.catalog.load(metadataFile(temporaryDirectory(), world));
    const sizes: number[] = [];
    const server = await inFrontOf(site.catalog.url, (request, response, incoming) => {
      const { urns } = request.variables;
      if (!request.query.startsWith("query ReadAssets") || !Array.isArray(urns)) return undefined;
      sizes.push(urns.length);
      return urns.length > 10 ? fail(request, response, incoming) : undefined;
    });
    const { code, stdout } = await runCli(["plan", "--server", server], { cwd: site.root });
    expect([code, stdout]).toEqual([0, expect.stringContaining("25 to update")]);
    expect(sizes).toEqual([25, 13, 7, 7, 7, 4]);
  },
);

test("an asset that is too large by itself is unreadable, and the others are planned", async () => {
  const site = await siteWith({ "all.yaml": manifests });
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  const large = datasetNamed("t23");
  const server = await inFrontOf(site.catalog.url, ({ query, variables }, response) => {
    const { urns } = variables;
    if (!query.startsWith("query ReadAssets") || !Array.isArray(urns) || !urns.includes(large))
      return undefined;
    return void response.writeHead(504).end("<html>");
  });
  const { code, stdout, stderr } = await runCli(["plan", "--server", server], { cwd: site.root });
  expect([code, stdout]).toEqual([1, expect.stringContaining("24 to update")]);
  expect(stderr).toMatch(/t23.*HTTP 504 \(tried 5 times\)/);
});

/** Its assets are read first, and then what is declared of them. */
const rule = `kind: Rule
id: all
match: { kind: Dataset, platform: snowflake }
declare: { links: [https://wiki.acme.com/all] }
`;

describe("with `reads: openapi`, where something else answers there", () => {
  const answers: Readonly<Record<string, StubAnswer>> = {
    "a page": (_, response) => void response.writeHead(200).end("<html>"),
    "HTTP 404": (_, response) => void response.writeHead(404).end("<html>"),
    nothing: () => new Promise(() => {}),
  };

  test.each(Object.entries(answers))(
    "%s ends OpenAPI with the second batch, with one note",
    async (_, answer) => {
      const site = await siteWith({ "all.yaml": manifests }, settingsWith("reads: openapi"));
      await site.catalog.load(metadataFile(temporaryDirectory(), world));
      site.write({ "catalog/rule.yaml": rule });
      let asked = 0;
      const server = await inFrontOf(site.catalog.url, (request, response, incoming) => {
        if (!incoming.url.startsWith("/openapi/v3/entity/dataset")) return undefined;
        asked += 1;
        return answer(request, response, incoming);
      });
      const args = ["plan", "--server", server, "--timeout", "1", "--concurrency", "1"];
      const { code, stdout, stderr } = await runCli(args, { cwd: site.root });
      expect([code, stdout]).toEqual([0, expect.stringContaining("25 to update")]);
      expect(stderr.match(/reads: openapi: .*/g)).toEqual([
        expect.stringMatching(/so the remaining entities are read with GraphQL$/),
      ]);
      expect(asked).toBeLessThanOrEqual(10);
    },
  );
});
