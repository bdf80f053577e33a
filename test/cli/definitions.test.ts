import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createAspectClient } from "../../src/datahub/aspect-client.ts";
import { connectionTo } from "../../src/datahub/connection.ts";
import { metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { datasetNamed, urn } from "../support/states.ts";
import { forward } from "../support/stub-server.ts";
import { counted, runsOf } from "../support/runs.ts";

function repository(text: string): string {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog", "all.yaml"), text);
  return cwd;
}

async function apply(cwd: string, url: string, ...flags: readonly string[]): Promise<Ran> {
  return runCli(["apply", "--auto-approve", "--server", url, ...flags], { cwd });
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

test("a whole repository comes about in one apply, and the second plan is empty", async () => {
  const catalog = await startTestCatalog();
  const datasets = numbers(200).map((index) => `d${index}`);
  const aspects = datasets.map(
    (name) => [datasetNamed(name), "datasetProperties", { customProperties: {}, tags: [] }] as const,
  );
  await catalog.load(metadataFile(temporaryDirectory(), aspects));
  const manifests = [
    ...datasets.map(
      (name, index) =>
        `- { kind: Dataset, platform: snowflake, name: ${name}, domain: invoices, tags: [t${index % 20}], owners: [{ group: g${index % 10} }, { user: u${index % 50} }] }`,
    ),
    ...numbers(10).map(
      (g) =>
        `- { kind: Group, id: g${g}, members: [${numbers(8)
          .map((u) => `u${(g * 5 + u) % 50}`)
          .join(", ")}] }`,
    ),
    ...numbers(50).map((u) => `- { kind: User, id: u${u}, display_name: User ${u}, slack: "@u${u}" }`),
    ...numbers(20).map((t) => `- { kind: Tag, id: t${t}, color_hex: "#00000${t % 10}" }`),
    "- { kind: Domain, id: invoices, parent_domain: ledgers }",
    "- { kind: Domain, id: ledgers, parent_domain: finance }",
    "- { kind: Domain, id: finance, owners: [{ user: u0 }] }",
  ];
  const cwd = repository(manifests.join("\n"));
  const first = await apply(cwd, catalog.url);
  expect(first.code, first.stdout.slice(-2000) + first.stderr).toBe(0);
  expect(first.stdout).toContain(
    "Plan: 83 to create, 200 to update, 0 to delete; 1026 values added, 0 replaced, 0 removed.",
  );
  const again = await runCli(["plan", "--detailed-exitcode", "--server", catalog.url], { cwd });
  expect(again).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 283 entities in sync\.\n$/),
  });
});

test("of 12 groups with the same 8 users every edge is there", async () => {
  const catalog = await startTestCatalog();
  const users = numbers(8).map((u) => `u${u}`);
  const manifests = [
    ...users.map((id) => `- { kind: User, id: ${id} }`),
    ...numbers(12).map((g) => `- { kind: Group, id: g${g}, members: [${users.join(", ")}] }`),
  ];
  const cwd = repository(manifests.join("\n"));
  expect((await apply(cwd, catalog.url, "--quiet")).code).toBe(0);
  const memberships = catalog
    .aspects()
    .filter(({ aspect, version }) => aspect === "nativeGroupMembership" && version === 0);
  expect(memberships.map(({ value }) => (value["nativeGroups"] as readonly string[]).length)).toEqual(
    users.map(() => 12),
  );
});

test("a writer that comes between our read and our write loses nothing, and neither do we", async () => {
  const catalog = await startTestCatalog();
  const tag = urn("urn:li:tag:pii");
  await catalog.load(
    metadataFile(temporaryDirectory(), [[tag, "tagProperties", { name: "PII", description: "old" }]]),
  );
  const other = createAspectClient(connectionTo(catalog.url));
  let interfered = 0;
  const proxy = await inFrontOf(catalog.url, async (_request, _response, { url }) => {
    if (!url.startsWith("/aspects?action=ingestProposal") || interfered === 2) return;
    interfered += 1;
    const { value, version } = await other.read(tag, "tagProperties");
    await other.write([
      { urn: tag, aspect: "tagProperties", value: { ...value, colorHex: `#00000${interfered}` }, version },
    ]);
  });
  const cwd = repository("- { kind: Tag, id: pii, description: new }");
  expect(await apply(cwd, proxy)).toMatchObject({ code: 0 });
  expect(interfered).toBe(2);
  const stored = catalog
    .aspects()
    .find(({ urn: of, aspect, version }) => of === tag && aspect === "tagProperties" && version === 0);
  expect(stored?.value).toEqual({ name: "PII", description: "new", colorHex: "#000002" });
});

test("a writer that never stops is named, after three more readings", async () => {
  const catalog = await startTestCatalog();
  const tag = urn("urn:li:tag:pii");
  await catalog.load(metadataFile(temporaryDirectory(), [[tag, "tagProperties", { name: "PII" }]]));
  const other = createAspectClient(connectionTo(catalog.url));
  let reads = 0;
  const proxy = await inFrontOf(catalog.url, async (_request, _response, { url }) => {
    if (url.startsWith("/entitiesV2")) reads += 1;
    if (!url.startsWith("/aspects?action=ingestProposal")) return;
    const { value, version } = await other.read(tag, "tagProperties");
    await other.write([
      { urn: tag, aspect: "tagProperties", value: { ...value, colorHex: `#${reads}` }, version },
    ]);
  });
  const { code, stdout } = await apply(repository("- { kind: Tag, id: pii, description: new }"), proxy);
  expect(code).toBe(7);
  expect(stdout).toMatch(
    /failed: set description of PII \(urn:li:tag:pii\)[\s\S]*was changed by others during each attempt, last by urn:li:corpuser:/,
  );
  expect(reads).toBe(3);
});

test("what depends on a definition that could not be created is skipped, and says because of what", async () => {
  const catalog = await startTestCatalog();
  const orders = datasetNamed("orders");
  await catalog.load(
    metadataFile(temporaryDirectory(), [[orders, "datasetProperties", { customProperties: {}, tags: [] }]]),
  );
  const proxy = await inFrontOf(catalog.url, ({ text }, response, { url }) => {
    if (url.startsWith("/aspects") && text.includes("urn:li:domain:finance"))
      response
        .writeHead(403, { "content-type": "application/json" })
        .end('{"status":403,"message":"no right to create domains"}');
  });
  const cwd = repository(
    [
      "- { kind: Domain, id: finance }",
      "- { kind: Domain, id: invoices, parent_domain: finance }",
      "- { kind: Tag, id: pii }",
      "- { kind: Dataset, platform: snowflake, name: orders, domain: invoices, tags: [pii] }",
    ].join("\n"),
  );
  const { code, stdout } = await apply(cwd, proxy, "--format", "json");
  expect(code).toBe(7);
  const { outcomes } = JSON.parse(stdout) as { readonly outcomes: readonly Record<string, unknown>[] };
  expect(outcomes).toMatchObject([
    {
      urn: "urn:li:domain:finance",
      status: "failed",
      error: expect.stringContaining("no right to create domains; the token needs"),
    },
    {
      urn: "urn:li:domain:invoices",
      status: "skipped",
      because: expect.stringContaining("urn:li:domain:finance"),
    },
    { urn: "urn:li:tag:pii", status: "applied" },
    {
      urn: orders,
      facet: "domain",
      status: "skipped",
      because:
        "urn:li:domain:invoices could not be created, because urn:li:domain:finance could not be created",
    },
    { urn: orders, facet: "tags", status: "applied" },
  ]);
});

test("whatever is declared, applying it converges, over HTTP", counted, async () => {
  const catalog = await startTestCatalog();
  const aspects = ["a", "b"].map(
    (name) => [datasetNamed(name), "datasetProperties", { customProperties: {}, tags: [] }] as const,
  );
  await catalog.load(metadataFile(temporaryDirectory(), aspects));
  const cwd = repository("");
  const ids = fc.subarray(["x", "y", "z"]);
  const manifests = fc.record({
    tags: ids,
    owners: ids,
    members: ids,
    domain: fc.constantFrom("x", "none"),
    title: fc.constantFrom("a b", "none"),
  });
  await fc.assert(
    fc.asyncProperty(manifests, async ({ tags, owners, members, domain, title }) => {
      const text = [
        ...["x", "y", "z"].flatMap((id) => [
          `- { kind: Tag, id: ${id} }`,
          `- { kind: User, id: ${id}, title: ${title} }`,
        ]),
        "- { kind: Domain, id: x }",
        `- { kind: Group, id: x, members: [${members.join(", ")}] }`,
        ...["a", "b"].map(
          (name) =>
            `- { kind: Dataset, platform: snowflake, name: ${name}, domain: ${domain}, tags: [${tags.join(", ")}], owners: [${owners.map((user) => `{ user: ${user} }`).join(", ")}] }`,
        ),
      ].join("\n");
      writeFileSync(join(cwd, "catalog", "all.yaml"), text);
      expect(await apply(cwd, catalog.url)).toMatchObject({ code: 0 });
      const again = await runCli(["plan", "--detailed-exitcode", "--server", catalog.url], { cwd });
      expect(again).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 10 entities in sync\.\n$/),
      });
    }),
    { numRuns: runsOf(4) },
  );
});

test("on a server without conditional writes an apply of definitions says so on stderr", async () => {
  const catalog = await startTestCatalog();
  const server = createServer((request, response) => {
    if (request.url === "/config") {
      response.end('{"noCode":"true","versions":{"acryldata/datahub":{"version":"v0.13.1"}}}');
      return;
    }
    const received: Buffer[] = [];
    request.on("data", (chunk: Buffer) => received.push(chunk));
    request.on("end", () => void forward(request, Buffer.concat(received), catalog.url, response));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stderr } = await apply(repository("- { kind: Tag, id: pii }"), url);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "conditional writes (If-Version-Match) are not available on this server\n",
  });
});

test("a failure takes down what depends on it, and nothing beside it", async () => {
  const catalog = await startTestCatalog();
  const orders = datasetNamed("orders");
  const old = { owner: "urn:li:corpuser:old", type: "DATA_STEWARD" };
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:corpuser:old", "corpUserInfo", { active: true }],
      [orders, "ownership", { owners: [old], lastModified: { time: 0, actor: "urn:li:corpuser:unknown" } }],
    ]),
  );
  const proxy = await inFrontOf(catalog.url, ({ text }, response, { url }) => {
    if (url.startsWith("/aspects") && text.includes("urn:li:corpuser:bad"))
      response
        .writeHead(403, { "content-type": "application/json" })
        .end('{"message":"no right to create users"}');
  });
  const cwd = repository(
    [
      "- { kind: User, id: bad }",
      "- { kind: User, id: good }",
      "- { kind: Group, id: g, members: [bad, good] }",
      "- { kind: Dataset, platform: snowflake, name: orders, owners: [{ user: bad }, { user: good }] }",
    ].join("\n"),
  );
  const { code, stdout } = await apply(cwd, proxy, "--format", "json");
  expect(code).toBe(7);
  const { outcomes } = JSON.parse(stdout) as { readonly outcomes: readonly Record<string, unknown>[] };
  expect(outcomes.map((each) => [each["status"], each["urn"], each["operation"]])).toEqual([
    ["failed", "urn:li:corpuser:bad", "ingestProposal corpUserInfo"],
    ["applied", "urn:li:corpuser:good", "ingestProposal corpUserInfo"],
    ["applied", "urn:li:corpGroup:g", "ingestProposal origin"],
    ["applied", "urn:li:corpGroup:g", "ingestProposal corpGroupInfo"],
    ["skipped", "urn:li:corpGroup:g", "addGroupMembers"],
    ["applied", "urn:li:corpGroup:g", "addGroupMembers"],
    ["skipped", orders, "addOwner"],
    ["applied", orders, "addOwner"],
    ["skipped", orders, "batchRemoveOwners"],
  ]);
});

test("a token that is refused in the middle ends the run: 1, with every outcome", async () => {
  const catalog = await startTestCatalog();
  let writes = 0;
  const proxy = await inFrontOf(catalog.url, (_, response, { url }) => {
    if (url.startsWith("/aspects") && ++writes > 1) response.writeHead(401).end();
  });
  const cwd = repository(
    [
      "- { kind: User, id: a }",
      "- { kind: User, id: b, manager_urn: a }",
      "- { kind: User, id: c, manager_urn: b }",
    ].join("\n"),
  );
  const { code, stdout } = await apply(cwd, proxy);
  expect(code).toBe(1);
  expect(stdout).toMatch(/Applied 1 operation, 1 failed, 1 skipped\.\n$/);
});

test("after a write that may still be under way nothing more is sent for its entity, in no later phase either", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:corpuser:u", "corpUserInfo", { active: true }],
      ["urn:li:tag:t", "tagProperties", { name: "t" }],
    ]),
  );
  const mutations: string[] = [];
  const proxy = await inFrontOf(catalog.url, ({ query }, response, { url }) => {
    if (url.startsWith("/aspects")) response.writeHead(504).end();
    if (query.startsWith("mutation")) mutations.push(query);
  });
  const cwd = repository("- { kind: Tag, id: t, description: new, owners: [{ user: u }] }");
  const { code, stdout } = await apply(cwd, proxy);
  expect(code).toBe(7);
  expect(stdout).toMatch(
    /skipped: add urn:li:corpuser:u as \S+ to owners of [\s\S]*an earlier request for urn:li:tag:t failed/,
  );
  expect(mutations).toEqual([]);
});

test("a definition that exists without the aspect of a field gets it whole", async () => {
  const catalog = await startTestCatalog();
  const status = { removed: false };
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:tag:t", "status", status],
      ["urn:li:corpuser:u", "corpUserEditableInfo", { aboutMe: "x", teams: [], skills: [] }],
      ["urn:li:corpGroup:g", "status", status],
    ]),
  );
  const cwd = repository(
    [
      "- { kind: Tag, id: t, description: new }",
      "- { kind: User, id: u, title: new }",
      "- { kind: Group, id: g, display_name: new }",
    ].join("\n"),
  );
  expect(await apply(cwd, catalog.url)).toMatchObject({ code: 0 });
});

test("a domain is not put below one that stands below it, as far as manifests tell", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:domain:a", "domainProperties", { name: "a", parentDomain: "urn:li:domain:b" }],
      ["urn:li:domain:b", "domainProperties", { name: "b" }],
    ]),
  );
  const cwd = repository(
    ["- { kind: Domain, id: a }", "- { kind: Domain, id: b, parent_domain: a }"].join("\n"),
  );
  const { code, stderr } = await apply(cwd, catalog.url);
  expect(code).toBe(3);
  expect(stderr).toMatch(/catalog\/all\.yaml:2:\d+ error parent-cycle/);
});

test("a domain is not put below one that is below it in the catalog alone", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:domain:a", "domainProperties", { name: "a" }],
      ["urn:li:domain:b", "domainProperties", { name: "b", parentDomain: "urn:li:domain:c" }],
      ["urn:li:domain:c", "domainProperties", { name: "c", parentDomain: "urn:li:domain:a" }],
    ]),
  );
  const before = catalog.aspects();
  const { code, stderr } = await apply(repository("{ kind: Domain, id: a, parent_domain: b }"), catalog.url);
  expect(code).toBe(3);
  expect(stderr).toMatch(/catalog\/all\.yaml:1:\d+ error parent-cycle: .*a → .*b → .*c → .*a$/m);
  expect(catalog.aspects()).toEqual(before);
});

test("a cycle that is in the catalog already is named, one that no manifest is part of ends the reading", async () => {
  const catalog = await startTestCatalog();
  const below = (parent: string): object => ({ name: parent, parentDomain: `urn:li:domain:${parent}` });
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:domain:a", "domainProperties", below("b")],
      ["urn:li:domain:b", "domainProperties", below("a")],
      ["urn:li:domain:c", "domainProperties", below("a")],
    ]),
  );
  const within = await apply(repository("{ kind: Domain, id: a, parent_domain: b }"), catalog.url);
  expect(within).toMatchObject({ code: 3 });
  expect(within.stderr).toContain("error parent-cycle");
  expect(await apply(repository("{ kind: Domain, id: c, parent_domain: a }"), catalog.url)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 1 entity in sync\.\n$/),
  });
});

test("a domain is not moved where something above its new place could not be read", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:domain:a", "domainProperties", { name: "a" }],
      ["urn:li:domain:b", "domainProperties", { name: "b", parentDomain: "urn:li:domain:c" }],
      ["urn:li:domain:c", "domainProperties", { name: "c", parentDomain: "urn:li:domain:a" }],
    ]),
  );
  const proxy = await inFrontOf(catalog.url, ({ variables: { urns } }) =>
    Array.isArray(urns) && urns.includes("urn:li:domain:c")
      ? { data: null, errors: [{ message: "no right to see it" }] }
      : undefined,
  );
  const cwd = repository("{ kind: Domain, id: a, description: new, parent_domain: b }");
  const { code, stdout, stderr } = await apply(cwd, proxy);
  expect(code).toBe(1);
  expect(stderr).toMatch(/catalog\/all\.yaml:1:\d+ error read-failed: .*urn:li:domain:c.*no right to see it/);
  expect(stdout).toContain("+ description: new");
  const stored = catalog
    .aspects()
    .find(({ urn: of, aspect }) => of === "urn:li:domain:a" && aspect === "domainProperties");
  expect(JSON.stringify(stored)).not.toContain("parentDomain");
});

test("an entry in a group that is gone is left to DataHub, which removes it itself", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:corpuser:u", "corpUserInfo", { active: true }],
      ["urn:li:corpuser:u", "nativeGroupMembership", { nativeGroups: ["urn:li:corpGroup:ghost"] }],
    ]),
  );
  expect(await apply(repository("- { kind: User, id: u, groups: [] }"), catalog.url)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 1 entity in sync\.\n$/),
  });
});
