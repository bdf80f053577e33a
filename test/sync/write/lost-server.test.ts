import { expect, test } from "vitest";
import * as gitops from "../../../src/index.ts";
import { metadataFile, type MadeAspect, temporaryDirectory } from "../../support/catalog.ts";
import { inFrontOf } from "../../support/in-front-of.ts";
import { siteWith } from "../../support/site.ts";
import { datasetNamed } from "../../support/states.ts";

/** More than are looked at with one request. */
const names = Array.from({ length: 250 }, (_, index) => `table_${index}`);

const world: readonly MadeAspect[] = [
  ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
  ...names.map((name): MadeAspect => [datasetNamed(name), "status", { removed: false }]),
];

const manifest = names
  .map((name) => `- { kind: Dataset, platform: snowflake, name: ${name}, tags: [pii] }\n`)
  .join("");

test.each([
  ["is gone", "destroy"],
  ["is replaced by a gateway that answers 503", "503"],
])("once the server %s, an apply tries one more request five times, and ends", async (_, way) => {
  const site = await siteWith({ "all.yaml": manifest });
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  let isLost = false;
  const lost: string[] = [];
  const server = await inFrontOf(site.catalog.url, ({ query }, response) => {
    isLost ||= query.startsWith("mutation");
    if (!isLost) return;
    lost.push(query.startsWith("mutation") ? "write" : "read");
    if (way === "destroy") response.destroy();
    else response.writeHead(503).end();
  });
  const repository = await gitops.openRepository({ cwd: site.root, directory: "catalog" });
  const policy = gitops.policyOf(repository.settings);
  const scope = await gitops.readScope({ repository, policy, selection: {} });
  const connection = gitops.connectionTo(server, { retryDelay: 1, concurrency: 1 });
  const { plan } = await gitops.planScope(scope, connection, { createdAt: new Date(0).toISOString() });

  const report = await gitops.applyPlan(plan, gitops.createWriter(connection));

  expect(lost).toEqual(["write", "write", "read", "read", "read", "read", "read"]);
  expect(report.stopped).toMatch(/\(tried 5 times\)$/);
  const outcomes = report.outcomes.map((outcome) => outcome.status);
  expect(outcomes).toHaveLength(names.length);
  expect(outcomes.filter((status) => status === "failed")).toHaveLength(100);
  expect(outcomes.filter((status) => status === "skipped")).toHaveLength(150);
  const inDoubt = report.outcomes.filter(({ status }) => status === "failed");
  expect(JSON.stringify(inDoubt)).toContain("could not determine whether the server executed the operation");
});
