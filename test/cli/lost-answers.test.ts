import { expect, test } from "vitest";
import { metadataFile, type MadeAspect, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { settingsWith, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const orders = datasetNamed("orders");

const world: readonly MadeAspect[] = [
  ["urn:li:corpuser:ada", "corpUserInfo", { active: true }],
  ["urn:li:tag:old", "tagProperties", { name: "old" }],
  [orders, "globalTags", { tags: [{ tag: "urn:li:tag:old" }] }],
];

const manifest = `- { kind: Domain, id: finance, name: Finance }
- { kind: Domain, id: ledgers, name: Ledgers, parent_domain: finance, owners: [{ user: ada }] }
- { kind: Tag, id: pii, name: PII, color_hex: "#C0392B" }
- { kind: User, id: cleo, display_name: Cleo, slack: cleo }
- { kind: Group, id: data, display_name: Data, members: [ada, cleo, { id: dan }] }
- { kind: Dataset, platform: snowflake, name: orders, domain: ledgers, owners: [{ group: data }], tags: [pii] }
`;

// The other pairs of fault and way of writing are in `test/sync/write/failed-requests.test.ts`.
test("what was carried out and not answered is found, also of what was created, and the rest follows", async () => {
  const site = await siteWith({ "all.yaml": manifest }, settingsWith());
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  const lost = new Set<string>();
  // Each write is carried out, and its answer is lost the first time.
  const server = await inFrontOf(site.catalog.url, async ({ text, query }, response, { url }) => {
    const isWrite = query.startsWith("mutation") || url.includes("action=ingestProposal");
    if (!isWrite || lost.has(text)) return;
    lost.add(text);
    const headers = { "content-type": "application/json" };
    await fetch(site.catalog.url + url, { method: "POST", headers, body: text });
    response.destroy();
  });

  const argv = ["apply", "--auto-approve", "--verbose", "--server", server];
  const { code, stdout, stderr } = await runCli(argv, { cwd: site.root });

  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(", 0 failed, 0 skipped.") });
  expect(stderr).toMatch(/Retrying \d+ operations?: cannot connect/);
  expect(lost.size).toBeGreaterThan(5);
  expect((await site.plan()).stdout).toContain("No changes.");
  expect(site.at()).toBe(site.at("HEAD"));
});

test("what was carried out and answered with a server error is found before it is called failed", async () => {
  const site = await siteWith({ "all.yaml": manifest }, settingsWith("writes: conditional"));
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  const headers = { "content-type": "application/json" };
  const sent: string[] = [];
  // Each write is carried out, and answered with an error, how often ever it comes.
  const server = await inFrontOf(site.catalog.url, async ({ text, query, variables }, response, { url }) => {
    if (!query.startsWith("mutation") && !url.includes("action=ingestProposal")) return undefined;
    await fetch(site.catalog.url + url, {
      method: "POST",
      headers,
      body: text,
    });
    sent.push(text);
    if (query === "") return void response.writeHead(500).end("{}");
    const aliases = [...new Set(Object.keys(variables).map((name) => name.split("_")[0] ?? ""))];
    const error = { message: "boom", extensions: { code: 500 } };
    return {
      data: Object.fromEntries(aliases.map((alias) => [alias, null])),
      errors: aliases.map((alias) => ({ ...error, path: [alias] })),
    };
  });

  const argv = ["apply", "--auto-approve", "--verbose", "--server", server];
  const { code, stdout, stderr } = await runCli(argv, { cwd: site.root });

  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining(", 0 failed, 0 skipped."),
  });
  expect(stderr).toMatch(/Checking \d+ operations?: .* responded with HTTP 500/);
  expect(new Set(sent).size).toBe(sent.length);
  expect((await site.plan()).stdout).toContain("No changes.");
});
