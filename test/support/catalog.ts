import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { listen } from "../../src/local-catalog/http/listen.ts";
import {
  type AspectRow,
  type CatalogOptions,
  createCatalog,
  type LoadSummary,
  seededStore,
} from "../../src/local-catalog/server.ts";
import { aspectsIn } from "../../src/local-catalog/store/aspect-dump.ts";
import { openSqlite, type Sqlite } from "../../src/local-catalog/store/sqlite/connection.ts";
import { answerInProcess } from "./in-process.ts";
import { startRecorder, type Recorded } from "./recorder.ts";

/** A fresh directory, removed when the test ends. */
export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), "datahub-gitops-test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10 }));
  return dir;
}

/** A local catalog for one test, whose requests are recorded. */
export interface TestCatalog {
  /** Contains what it stores, in memory. */
  readonly database: Sqlite;
  readonly url: string;
  /** Every request that reached it. */
  readonly requests: readonly Recorded[];
  readonly load: (file: string) => Promise<LoadSummary>;
  readonly aspects: () => readonly AspectRow[];
}

/** How the local catalog of a test behaves. */
export interface TestCatalogOptions extends Pick<
  CatalogOptions,
  | "faults"
  | "lag"
  | "readLag"
  | "maxBatch"
  | "now"
  | "actor"
  | "oneProductPerAsset"
  | "alternateValidation"
  | "float32"
  | "restrict"
  | "hidesAspects"
> {
  /** Whether requests of this process come over a socket, too; always where there are faults. */
  readonly overHttp?: boolean;
}

/**
 * Starts a local catalog that asks for no token, may have faults or lag, and ends with the test. It is in memory, and the product
 * reaches it without a socket.
 */
export async function startTestCatalog(options: TestCatalogOptions = {}): Promise<TestCatalog> {
  const { catalog, close } = await openTestCatalog(options);
  onTestFinished(close);
  return catalog;
}

/** Starts such a catalog, which ends when it is closed. */
export async function openTestCatalog({ overHttp = false, ...options }: TestCatalogOptions = {}): Promise<{
  readonly catalog: TestCatalog;
  readonly close: () => Promise<void>;
}> {
  const database = openSqlite(":memory:");
  const store = seededStore(database);
  // The first user, as where there is a token.
  const actor = "urn:li:corpuser:datahub";
  const { route, load, faults } = await createCatalog(store, { actor, ...options });
  const server = await listen(route, 0);
  const url = `http://127.0.0.1:${server.port}`;
  const recorder = startRecorder(url);
  // Faults are of connections.
  const usesSockets = overHttp || faults !== undefined;
  const endShortcut = usesSockets ? undefined : answerInProcess(url, recorder.before(route));
  const close = async (): Promise<void> => {
    endShortcut?.();
    recorder.close();
    faults?.release();
    await server.close();
    faults?.close();
    store.close();
  };
  let closing: Promise<void> | undefined;
  return {
    catalog: { url, requests: recorder.requests, load, database, aspects: () => aspectsIn(database) },
    close: () => (closing ??= close()),
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
