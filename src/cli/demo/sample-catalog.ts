import { resolve } from "node:path";
import type { Io } from "../io.ts";
import { note } from "../output/say.ts";
import { loadLocalCatalog } from "../run/local-catalog.ts";
import { loadRecords } from "./demo-catalog.ts";
import { sampleRecords } from "./sample.ts";

/** Loads the sample into the data directory of a local catalog. Creates the directory if needed. Can be repeated. */
export async function fillWithSample(dir: string, io: Io): Promise<void> {
  const { startCatalog } = await loadLocalCatalog();
  const catalog = await startCatalog({
    dataDir: resolve(io.cwd, dir),
    root: io.cwd,
    port: 0,
    auth: true,
  });
  try {
    await loadRecords(catalog, sampleRecords);
  } finally {
    await catalog.close();
  }
  note(`Sample data loaded into ${dir}. Use it with --local --data ${dir}, or run serve --data ${dir}`, io);
}
