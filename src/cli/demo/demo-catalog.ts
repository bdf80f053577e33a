import { rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningCatalog } from "../../local-catalog/server.ts";
import type { Io } from "../io.ts";
import { loadLocalCatalog } from "../run/local-catalog.ts";
import type { MetadataRecord } from "./metadata.ts";

/**
 * Starts a local catalog with the records in a new temporary directory and passes it to `use`. Always removes the
 * directory afterwards.
 */
export async function withDemoCatalog(
  records: readonly MetadataRecord[],
  use: (catalog: RunningCatalog) => Promise<void>,
): Promise<void> {
  const { startCatalog } = await loadLocalCatalog();
  const directory = await mkdtemp(join(tmpdir(), "datahub-gitops-demo-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  // The second Ctrl-C ends the process before `finally`.
  process.once("exit", remove);
  try {
    const catalog = await startCatalog({ dataDir: join(directory, "data"), port: 0, auth: true });
    try {
      await loadRecords(catalog, records);
      await use(catalog);
    } finally {
      await catalog.close();
    }
  } finally {
    remove();
    process.off("exit", remove);
  }
}

/** Loads records into a catalog through a metadata file. */
export async function loadRecords(
  catalog: RunningCatalog,
  records: readonly MetadataRecord[],
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "datahub-gitops-sample-"));
  try {
    const file = join(directory, "sample.json");
    await writeFile(file, JSON.stringify(records));
    await catalog.load(file);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The same `Io` without the DataHub settings of the user. The only token is the one of the demo catalog. */
export function ioFor({ token }: RunningCatalog, io: Io): Io {
  const others = Object.entries(io.env).filter(([name]) => !name.toUpperCase().startsWith("DATAHUB_"));
  return { ...io, env: { ...Object.fromEntries(others), DATAHUB_GMS_TOKEN: token } };
}
