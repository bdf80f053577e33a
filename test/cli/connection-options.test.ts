import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { metadataFile, type MadeAspect, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { refusing } from "../support/refusing.ts";
import { datasetNamed } from "../support/states.ts";
import { startStub } from "../support/stub-server.ts";

const orders = datasetNamed("orders");

const world: readonly MadeAspect[] = [
  ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
  ["urn:li:domain:finance", "domainProperties", { name: "Finance" }],
  ["urn:li:corpuser:ada", "corpUserInfo", { active: true }],
  [orders, "globalTags", { tags: [] }],
  [orders, "schemaMetadata", schemaWith("id")],
];

/** A working directory with one manifest. */
function workplace(manifest: string): string {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog/all.yaml"), manifest);
  return cwd;
}

const dataset = (...lines: readonly string[]): string =>
  ["kind: Dataset", "platform: snowflake", "name: orders", ...lines, ""].join("\n");

test.each([
  ["--concurrency", "0", "whole number from 1 to 999"],
  ["--concurrency", "many", "whole number from 1 to 999"],
  ["--concurrency", "1000", "whole number from 1 to 999"],
  ["--timeout", "0", "number of seconds greater than 0"],
  ["--timeout", "1m", "number of seconds greater than 0"],
])("%s %s is wrong usage", async (flag, value, message) => {
  const ran = await runCli(["plan", flag, value, "--server", "http://127.0.0.1:1"], {
    cwd: workplace(dataset("tags: []")),
  });
  expect(ran).toMatchObject({ code: 64, stdout: "", stderr: expect.stringContaining(message) });
});

test("no more requests are under way than --concurrency allows, reads and writes together", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world));
  const names = Array.from({ length: 3 }, (_, index) => `{ kind: Group, id: g${index}, members: [ada] }`);
  let [underWay, most] = [0, 0];
  const url = await inFrontOf(catalog.url, async (_, response, incoming) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await incoming.passTo(catalog.url, response);
    underWay -= 1;
  });
  const cwd = workplace(names.join("\n---\n"));

  const ran = await runCli(["apply", "--auto-approve", "--concurrency", "2", "--server", url], { cwd });

  expect(ran.code).toBe(0);
  expect(most).toBe(2);
});

test("--timeout ends a request that is not answered, and --verbose tells each try", async () => {
  const stub = await startStub(() => new Promise(() => {}));
  onTestFinished(() => stub.close());
  const argv = ["plan", "--timeout", "0.01", "--verbose", "--server", stub.url];

  const { code, stderr } = await runCli(argv, { cwd: workplace(dataset("tags: []")) });

  expect(code).toBe(1);
  expect(stderr).toContain("did not respond within 0.01 s; retrying (attempt 2 of 5)\n");
  expect(stderr).toContain("did not respond within 0.01 s (tried 5 times)");
});

// Which privilege a change needs is a table (test/sync/read/privileges.test.ts, test/facets/contract.test.ts).
test.each([
  ["kind: Tag\nid: new\nname: New\n", 'EDIT_ENTITY ("Edit Entity") on urn:li:tag:new'],
  [dataset("tags: [pii]"), `EDIT_ENTITY_TAGS ("Edit Tags") on ${orders}`],
])("a token that may not write is told which privilege it needs, and where", async (manifest, privilege) => {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world));
  const url = await refusing(catalog.url, () => true);

  const ran = await runCli(["apply", "--auto-approve", "--server", url], { cwd: workplace(manifest) });

  expect(ran.code).toBe(7);
  expect(ran.stdout).toContain(`refused; the token needs the privilege ${privilege}`);
});

test("a server that denies a token any write stops the run, and the privilege is named", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world));
  const url = await inFrontOf(catalog.url, ({ query }, response) =>
    query.startsWith("mutation") ? response.writeHead(403).end() : undefined,
  );
  const cwd = workplace(dataset("tags: [pii]", "domain: finance"));

  const ran = await runCli(["apply", "--auto-approve", "--server", url], { cwd });

  expect(ran.code).toBe(1);
  expect(ran.stdout).toMatch(
    /denied access to this token \(HTTP 403\); the token needs the privilege EDIT_\w+ .* and 1 more/,
  );
});
