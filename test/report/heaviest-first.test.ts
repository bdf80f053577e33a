import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import { datasetNamed } from "../support/states.ts";
import { conflict, losses, planOf, usualChanges } from "./plans.ts";
import { printed } from "./print.ts";

const update = { action: "update", kind: "Dataset", fingerprint: "0".repeat(64) } as const;
const owners: Change = {
  ...update,
  shape: "set",
  urn: datasetNamed("prod.sales.returns"),
  facet: "owners",
  add: [{ owner: "urn:li:corpuser:ann", type: "urn:li:ownershipType:__system__technical_owner" }],
  remove: [],
};

test("a plan as text shows foreign removals, owners, domains and deletions before the rest", () => {
  const [deleted, , foreign] = losses;
  const changes = [
    ...usualChanges,
    deleted,
    owners,
    { ...foreign, urn: datasetNamed("prod.zoo") },
  ] as Change[];

  const text = printed({ plan: planOf({ changes }) }, "text");

  expect(text.split("\n").filter((line) => /^[+~-] /.test(line))).toEqual([
    `~ Dataset ${datasetNamed("prod.zoo")}`,
    `~ Dataset ${datasetNamed("prod.sales.returns")}`,
    `~ Dataset ${conflict.urn}`,
    "- Domain urn:li:domain:legacy  catalog/finance.yaml:30:3 in the base",
    "+ Tag urn:li:tag:pii  catalog/finance.yaml:1:3",
    `~ Dataset ${datasetNamed("prod.sales.orders")}`,
  ]);
});

test("a plan as text begins with its environment and server", () => {
  const plan = planOf({ target: "https://datahub.acme.com" });
  const inProduction = { ...plan, scope: { directory: "catalog", environment: "prod" } };

  expect(printed({ plan }, "text")).toMatch(/^Server: https:\/\/datahub\.acme\.com\n\n/);
  expect(printed({ plan: inProduction }, "text")).toMatch(
    /^Server: prod \(https:\/\/datahub\.acme\.com\)\n\n/,
  );
});
