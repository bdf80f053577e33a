import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { createWriter, type Writer } from "../../src/datahub/client.ts";
import { connectionTo } from "../../src/datahub/connection.ts";
import { metadataFile, openTestCatalog } from "../support/catalog.ts";
import { type Aspects, aspectsOf, latestOf } from "./stored.ts";
import type { World } from "./worlds.ts";

/** Runs something in a new catalog that holds the live state of a world. No request may write one aspect twice. */
export async function inCatalog(
  world: World,
  run: (writer: Writer, aspects: () => Aspects) => Promise<void>,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "datahub-gitops-law-"));
  const { catalog, close } = await openTestCatalog();
  try {
    await catalog.load(metadataFile(dir, aspectsOf(world)));
    await run(createWriter(connectionTo(catalog.url, { retryDelay: 1 })), () => latestOf(catalog.aspects()));
    for (const { body } of catalog.requests) expectDifferentAspects(body);
  } finally {
    await close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A request has at most one proposal of an aspect: of several, DataHub keeps the last. */
function expectDifferentAspects(body: unknown): void {
  const { proposals = [] } = (body ?? {}) as {
    readonly proposals?: readonly Readonly<Record<string, string>>[];
  };
  const written = proposals.map(({ entityUrn, aspectName }) => `${entityUrn} ${aspectName}`);
  expect(written).toEqual([...new Set(written)]);
}
