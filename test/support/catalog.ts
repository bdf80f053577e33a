import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type AspectRow,
  type CatalogOptions,
  dumpAspects,
  startCatalog,
} from "../../src/local-catalog/server.ts";
import { putFreshDatabase } from "./fresh-database.ts";
import { startRecorder, type Recorded } from "./recorder.ts";

/** A fresh directory, removed when the test ends. */
export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), "datahub-gitops-test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A local catalog for one test, whose requests are recorded. */
export interface TestCatalog {
  readonly dataDir: string;
  readonly url: string;
  /** Every request that reached it. */
  readonly requests: readonly Recorded[];
  load(file: string): Promise<unknown>;
  aspects(): readonly AspectRow[];
}

/** Starts a local catalog that asks for no token, may have faults or lag, and ends with the test. */
export async function startTestCatalog(
  options: Pick<CatalogOptions, "faults" | "lag" | "now" | "actor" | "oneProductPerAsset"> = {},
  dataDir = temporaryDirectory(),
): Promise<TestCatalog> {
  // The first user, as where there is a token.
  const actor = "urn:li:corpuser:datahub";
  await putFreshDatabase(dataDir);
  const catalog = await startCatalog({ actor, ...options, dataDir, port: 0, auth: false });
  const recorder = startRecorder(catalog.url);
  onTestFinished(async () => {
    recorder.close();
    await catalog.close();
  });
  return {
    url: catalog.url,
    requests: recorder.requests,
    load: (file) => catalog.load(file),
    dataDir,
    aspects: () => dumpAspects(dataDir),
  };
}

/** One aspect of the world that a test makes up. */
export type MadeAspect = readonly [urn: string, aspect: string, value: object];

/** Writes a DataHub metadata file of these aspects and returns its path. */
export function metadataFile(dir: string, aspects: readonly MadeAspect[]): string {
  const file = join(dir, "metadata.json");
  const records = aspects.map(([entityUrn, aspectName, json]) => ({
    entityType: entityUrn.split(":")[2],
    entityUrn,
    changeType: "UPSERT",
    aspectName,
    aspect: { json },
  }));
  writeFileSync(file, JSON.stringify(records));
  return file;
}
