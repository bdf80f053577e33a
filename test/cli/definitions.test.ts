import { expect, test } from "vitest";
import { metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { inFrontOf, withoutBatches } from "../support/in-front-of.ts";
import { withFiles } from "../support/manifest-files.ts";
import { datasetNamed } from "../support/states.ts";

/** Applies manifests of a directory without Git. */
const apply = (url: string, manifests: readonly string[], ...flags: readonly string[]): Promise<Ran> =>
  withFiles({ "catalog/all.yaml": manifests.join("\n") }, (cwd) =>
    runCli(["apply", "--auto-approve", "--server", url, ...flags], { cwd }),
  );

test("a failure takes down what depends on it, says because of what, and nothing beside it", async () => {
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
    if (url.startsWith("/aspects") && /urn:li:(?:corpuser:bad|domain:finance)"/.test(text))
      response
        .writeHead(403, { "content-type": "application/json" })
        .end('{"message":"no right to create this"}');
  });

  const { code, stdout } = await apply(
    proxy,
    [
      "- { kind: Domain, id: finance }",
      "- { kind: Domain, id: invoices, parent_domain: finance }",
      "- { kind: User, id: bad }",
      "- { kind: User, id: good }",
      "- { kind: Group, id: g, members: [bad, good] }",
      "- { kind: Dataset, platform: snowflake, name: orders, domain: invoices, owners: [{ user: bad }, { user: good }] }",
    ],
    "--format",
    "json",
  );

  expect(code).toBe(7);
  const { outcomes } = JSON.parse(stdout) as { readonly outcomes: readonly Record<string, unknown>[] };
  const briefly = outcomes.map(({ status, urn, operation }) => [status, urn, operation]);
  expect(briefly).toEqual([
    ["failed", "urn:li:domain:finance", "ingestProposal domainProperties"],
    ["skipped", "urn:li:domain:invoices", "ingestProposal domainProperties"],
    ["failed", "urn:li:corpuser:bad", "ingestProposal corpUserInfo"],
    ["applied", "urn:li:corpuser:good", "ingestProposal corpUserInfo"],
    ["applied", "urn:li:corpGroup:g", "ingestProposal origin"],
    ["applied", "urn:li:corpGroup:g", "ingestProposal corpGroupInfo"],
    ["skipped", "urn:li:corpGroup:g", "addGroupMembers"],
    ["applied", "urn:li:corpGroup:g", "addGroupMembers"],
    ["skipped", orders, "setDomain"],
    ["skipped", orders, "addOwner"],
    ["applied", orders, "addOwner"],
    ["skipped", orders, "batchRemoveOwners"],
  ]);
  expect(outcomes.find(({ status }) => status === "failed")).toMatchObject({
    error: expect.stringContaining("no right to create this; the token needs"),
  });
  expect(outcomes.find(({ operation }) => operation === "setDomain")).toMatchObject({
    because:
      "urn:li:domain:invoices could not be created, because urn:li:domain:finance could not be created",
  });
});

test("on a server without conditional writes an apply of definitions says so on stderr, and one that lacks the aspect of a field gets it whole", async () => {
  const catalog = await startTestCatalog();
  const status = { removed: false };
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:tag:t", "status", status],
      ["urn:li:corpuser:u", "corpUserEditableInfo", { aboutMe: "x", teams: [], skills: [] }],
      ["urn:li:corpGroup:g", "status", status],
    ]),
  );
  const url = await inFrontOf(catalog.url, withoutBatches);

  const { code, stderr } = await apply(url, [
    "- { kind: Tag, id: t, description: new }",
    "- { kind: User, id: u, title: new }",
    "- { kind: Group, id: g, display_name: new }",
  ]);

  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "conditional writes (If-Version-Match) are not available on this server\n",
  });
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

  const { code, stderr } = await apply(catalog.url, ["{ kind: Domain, id: a, parent_domain: b }"]);

  expect(code).toBe(3);
  expect(stderr).toMatch(/catalog\/all\.yaml:1:\d+ error parent-cycle: .*a → .*b → .*c → .*a; change one/);
});

test("a token that is refused in the middle ends the run: 1, with every outcome", async () => {
  const catalog = await startTestCatalog();
  let writes = 0;
  const proxy = await inFrontOf(catalog.url, (_, response, { url }) => {
    if (url.startsWith("/aspects") && ++writes > 1) response.writeHead(401).end();
  });

  const { code, stdout } = await apply(proxy, [
    "- { kind: User, id: a }",
    "- { kind: User, id: b, manager_urn: a }",
    "- { kind: User, id: c, manager_urn: b }",
  ]);

  expect(code).toBe(1);
  expect(stdout).toMatch(/Applied 1 operation, 1 failed, 1 skipped\.\n$/);
});
