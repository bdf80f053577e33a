import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWriter, type Writer } from "../../src/datahub/client.ts";
import { connectionTo } from "../../src/datahub/connection.ts";
import { dumpAspects, startCatalog } from "../../src/local-catalog/server.ts";
import { metadataFile } from "../support/catalog.ts";
import { type Aspects, aspectsOf, latestOf } from "./stored.ts";
import type { World } from "./worlds.ts";

/** Runs something in a new catalog that holds the live state of a world. */
export async function inCatalog(
  world: World,
  run: (writer: Writer, aspects: () => Aspects) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "datahub-gitops-law-"));
  const catalog = await startCatalog({ dataDir, port: 0, auth: false });
  try {
    await catalog.load(metadataFile(dataDir, aspectsOf(world)));
    await run(createWriter(connectionTo(catalog.url, { retryDelay: 1 })), () =>
      latestOf(dumpAspects(dataDir)),
    );
  } finally {
    await catalog.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
