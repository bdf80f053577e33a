import { expect, test } from "vitest";
import { policyOf } from "../../plan/policies/subjects.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { evaluateCatalog } from "../../../src/sync/policies/evaluate-policies.ts";
import { datasetNamed } from "../../support/states.ts";
import { metadataFile, startTestCatalog, temporaryDirectory } from "../../support/catalog.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { createReader } from "../../../src/datahub/client.ts";
import { nothingDeclared } from "./world.ts";

test("a signal ends judging between two policies of an entity", async () => {
  const catalog = await startTestCatalog();
  const orders = datasetNamed("orders");
  await catalog.load(metadataFile(temporaryDirectory(), [[orders, "status", { removed: false }]]));
  // Each takes all steps that an evaluation has.
  const loop = `[${Array.from({ length: 150 }, (_, index) => index).join(",")}]`;
  const check = `${loop}.exists(a, ${loop}.exists(b, ${loop}.exists(c, a + b + c < 0)))`;
  const policies = Array.from({ length: 400 }, (_, index) => policyOf(`p${index}`, { check }));
  const stopping = new AbortController();
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
    if (turns === 3) stopping.abort(new Error("stopped"));
  }, 1);
  const pages = (): readonly (readonly Urn[])[] => [[orders]];
  const given = { ...nothingDeclared, policies, waivers: [] };
  const reader = createReader(connectionTo(catalog.url));
  const { signal } = stopping;
  await expect(evaluateCatalog({ reader, pages }, { changes: [] }, given, { signal })).rejects.toThrow(
    "stopped",
  );
  clearInterval(ticking);
});
