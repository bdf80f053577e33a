import { resolve } from "node:path";
import type { Io } from "../io.ts";
import { loadRecords } from "./demo-catalog.ts";
import { sampleRecords } from "./sample.ts";

/** Puts the sample into the data directory of a local catalog, which is made where there is none. Twice is once. */
export async function fillWithSample(dir: string, io: Io): Promise<void> {
  const { startCatalog } = await import("../../local-catalog/server.ts");
  const catalog = await startCatalog({ dataDir: resolve(io.cwd, dir), port: 0, auth: true });
  try {
    await loadRecords(catalog, sampleRecords);
  } finally {
    await catalog.close();
  }
  io.stderr.write(
    `The sample is in ${dir}: plan against it with --local --data ${dir}, or serve it with serve --data ${dir}\n`,
  );
}
