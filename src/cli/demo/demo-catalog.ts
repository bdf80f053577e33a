/**
 * Starts a temporary local catalog with the demo's sample data, or loads the sample data into a data directory that the user
 * selects.
 */

import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { packageFile } from "../../files/package-file.ts";
import type { RunningCatalog } from "../../local-catalog/server.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { loadStartCatalog } from "../local-catalog.ts";

/** The DataHub metadata file with the sample data: ingested metadata, and values that users added in the UI. */
export const sampleFile = packageFile("examples/demo/metadata.json");

/** Starts a local catalog in a temporary directory and passes it to `use`. Removes the directory afterwards. */
export async function withDemoCatalog(use: (catalog: RunningCatalog) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "datahub-gitops-demo-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  // A second Ctrl-C ends the process before `finally` runs.
  process.once("exit", remove);
  try {
    await withSampleIn({ dataDir: join(directory, "data") }, use);
  } finally {
    remove();
    process.off("exit", remove);
  }
}

/** Loads the sample data into a data directory, which is created if needed. Running this again is safe. */
export async function fillWithSample(dir: string, io: Io): Promise<void> {
  await withSampleIn({ dataDir: resolve(io.cwd, dir), root: io.cwd });
  note(`Sample data loaded into ${dir}. Use it with --local --data ${dir}, or run serve --data ${dir}`, io);
}

async function withSampleIn(
  directory: { readonly dataDir: string; readonly root?: string },
  use: (catalog: RunningCatalog) => Promise<void> = async () => {},
): Promise<void> {
  const startCatalog = await loadStartCatalog();
  const catalog = await startCatalog({ ...directory, port: 0, auth: true });
  try {
    await catalog.load(sampleFile);
    await use(catalog);
  } finally {
    await catalog.close();
  }
}

/** Returns an `Io` whose environment contains the token of the demo catalog, but none of the user's DataHub variables. */
export function ioFor({ token }: RunningCatalog, io: Io): Io {
  const others = Object.entries(io.env).filter(([name]) => !name.toUpperCase().startsWith("DATAHUB_"));
  return { ...io, env: { ...Object.fromEntries(others), DATAHUB_GMS_TOKEN: token } };
}
