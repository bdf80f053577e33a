import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, type GraphQLSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { listedCommands } from "../../src/cli/commands/index.ts";
import { isJsonObject } from "../../src/model/json.ts";
import { startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { cli } from "../support/dist.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { accept } from "./acceptance.ts";
import { takeAway } from "./clean-up.ts";
import { commandsWithoutCatalog } from "./required.ts";
import { resultsText } from "./results-text.ts";
import { newRunId, runIdIn, startOf } from "./run-id.ts";
import { storedCatalog } from "./stored-catalog.ts";
import { trials, untried } from "./trials/index.ts";

test("the acceptance tries every kind, facet, mode, operation, query and command of the product", () => {
  expect(untried).toEqual([]);
  const names = listedCommands.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(commandsWithoutCatalog)));
});

test("no two trials try the same", () => {
  const names = trials.flatMap(({ tries }) => tries);
  expect(names.length).toBe(new Set(names).size);
});

test("what a trial makes is taken away in the end, and four releases know what it asks", async () => {
  const catalog = await startTestCatalog();
  const before = catalog.aspects();
  const journals = join(temporaryDirectory(), "journals");
  const target = { address: catalog.url, token: undefined };
  const { release, rows } = await accept({ target, cli, journals, only: ["GET /config"] });
  expect(rows.filter(({ result }) => result !== "passed")).toEqual([]);
  expect(catalog.aspects()).toEqual(before);
  expect(readdirSync(journals)).toEqual([]);
  expect(resultsText({ release, rows }, "text")).toMatch(/\n\d+ passed, 0 failed\n$/);

  const sent = catalog.requests.map(({ body }) => (isJsonObject(body) ? body["query"] : undefined));
  const documents = new Set(sent.filter((query) => typeof query === "string"));
  expect(documents.size).toBeGreaterThan(6);
  for (const schema of ["v0.13.1", "v1.0.0", "v1.4.0", "v1.7.0"].map(schemaOf)) {
    for (const document of documents) expect(validate(schema, parse(document))).toEqual([]);
  }
});

function schemaOf(release: string): GraphQLSchema {
  const file = join(import.meta.dirname, `../contract/datahub-${release}.graphql`);
  return buildSchema(readFileSync(file, "utf8"));
}

test("nothing is deleted that no run has made", async () => {
  const { url, requests } = await startTestCatalog();
  const urns = [`urn:li:tag:${newRunId()}.reads.a`, "urn:li:tag:pii"];
  await expect(takeAway(storedCatalog(url, undefined), urns, undefined)).rejects.toThrow("urn:li:tag:pii");
  expect(requests).toEqual([]);
});

test("a server of 10,000 entities is refused before anything is made", async () => {
  const { url, requests } = await startTestCatalog();
  const large = await inFrontOf(url, ({ query }) =>
    query.includes("CountEntities") ? { data: { searchAcrossEntities: { total: 10_000 } } } : undefined,
  );
  const target = { address: large, token: undefined };
  const journals = join(temporaryDirectory(), "journals");
  await expect(accept({ target, cli, journals })).rejects.toThrow("set ACCEPTANCE_ANY_SIZE=1");
  expect(requests).toEqual([]);
});

test("the id of a run tells when it began, and stands in the URNs that it makes", () => {
  const id = newRunId(1_800_000_000_000);
  expect(runIdIn(`urn:li:dataset:(urn:li:dataPlatform:file,${id}.reads.first,PROD)`)).toBe(id);
  expect(startOf(id)).toBe(1_800_000_000_000);
  expect(runIdIn("urn:li:tag:gitops-acceptance-notes")).toBeUndefined();
});

test("a failed trial names what failed, and how the command ended", async () => {
  const { url } = await startTestCatalog();
  const journals = join(temporaryDirectory(), "journals");
  const target = { address: url, token: undefined };
  const none = join(temporaryDirectory(), "no-command.js");
  const { rows, release } = await accept({ target, cli: none, journals, only: ["rules"] });
  const text = resultsText({ release, rows }, "markdown");
  expect(existsSync(none)).toBe(false);
  expect(text).toContain("| rules | v1.7.0 | failed |");
  expect(text).toMatch(
    /^rules \(failed\): domain of .* found \[\]; the command ended with 1: .*no-command/ms,
  );
  expect(text).toMatch(/\n0 passed, 2 failed\n$/);
});
