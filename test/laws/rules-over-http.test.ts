import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createWriter } from "../../src/datahub/client.ts";
import { connectionTo } from "../../src/datahub/connection.ts";
import { startCatalog } from "../../src/local-catalog/server.ts";
import type { Change } from "../../src/model/change.ts";
import { defaultPolicy } from "../../src/plan/base/policy.ts";
import { expand } from "../support/assets.ts";
import { metadataFile } from "../support/catalog.ts";
import { header } from "../support/states.ts";
import { planOf } from "./plan-of.ts";
import { bare, isUndecided } from "./rule-model.ts";
import { aspectsOf, ruleWorlds } from "./rule-worlds.ts";
import { apply, plan } from "./saved.ts";
import { counted, runsOf } from "../support/runs.ts";

test(
  "over HTTP a plan of rules is followed by an empty one: what they match does not depend on what they change",
  counted,
  async () => {
    await fc.assert(
      fc.asyncProperty(ruleWorlds, async (world) => {
        fc.pre(!world.assets.some((asset) => isUndecided(world, asset)));
        const dataDir = mkdtempSync(join(tmpdir(), "datahub-gitops-law-"));
        const catalog = await startCatalog({ dataDir, port: 0, auth: false });
        try {
          await catalog.load(metadataFile(dataDir, aspectsOf(world)));
          const writer = createWriter(connectionTo(catalog.url));
          const rules = { now: world, isIgnored: () => false, select: () => undefined };
          const planned = async (by = writer): ReturnType<typeof plan> =>
            await plan(world, by, defaultPolicy, { header, rules });
          const first = await planned();
          expect(await planned({ ...writer, reads: "openapi" })).toEqual(first);
          const expected = planOf(expand(world, world.assets).state, bare(world));
          expect(first.changes.map(placeOf)).toEqual(expected.changes.map(placeOf));

          const { outcomes } = await apply(first, writer);
          expect(outcomes.filter(({ status }) => status !== "applied")).toEqual([]);
          const second = await planned();
          expect(second.changes).toEqual([]);
          expect(second.rules?.map(({ matched }) => matched)).toEqual(
            first.rules?.map(({ matched }) => matched),
          );
        } finally {
          await catalog.close();
          rmSync(dataDir, { recursive: true, force: true });
        }
      }),
      { numRuns: runsOf(4) },
    );
  },
);

function placeOf({ urn, facet, path, ...change }: Change): unknown {
  const values =
    change.shape === "set" ? [change.add, change.remove] : change.shape === "scalar" ? change.after : null;
  return { urn, facet, path, values };
}
