import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCatalog } from "../../src/local-catalog/server.ts";
import { databaseName } from "../../src/local-catalog/store/data-directory.ts";

let fresh: Promise<Buffer> | undefined;

/** Puts the database of a new catalog into an empty data directory: catalogs then start in three quarters of the time. */
export async function putFreshDatabase(dataDir: string): Promise<void> {
  const file = join(dataDir, databaseName);
  if (!existsSync(file)) writeFileSync(file, await (fresh ??= freshDatabase()));
}

async function freshDatabase(): Promise<Buffer> {
  const dataDir = mkdtempSync(join(tmpdir(), "local-catalog-"));
  const catalog = await startCatalog({ dataDir, port: 0, auth: false });
  await catalog.close();
  const database = readFileSync(join(dataDir, databaseName));
  rmSync(dataDir, { recursive: true, force: true });
  return database;
}
