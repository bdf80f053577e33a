import { readFile } from "node:fs/promises";
import type { Json } from "../../model/json.ts";
import type { AspectStore, AuditTrail } from "../store/aspect-store.ts";
import { entityExists, writeAspect } from "../store/aspect-write.ts";
import { addDefaultAspects } from "../store/default-aspects.ts";
import { catalogUser } from "../store/seed.ts";
import { LocalCatalogError } from "../errors.ts";
import { aspectsOfRecord, type ProposedAspect } from "./metadata-record.ts";
import { isTimeseries } from "../registry/aspects.ts";

/** What a load has done. */
export interface LoadSummary {
  readonly records: number;
  /** Aspects that were new or different, and are stored now. */
  readonly written: number;
  /** Aspects that were stored already, just so. */
  readonly unchanged: number;
  /** Points in time, which are counted and not stored. */
  readonly timeseries: number;
}

/**
 * Loads one file of DataHub metadata in one transaction. Where a file gives an aspect twice the last one counts,
 * as in a batch of proposals to DataHub; so loading a file again changes nothing.
 * @throws LocalCatalogError naming the file, and the record (counted from 1) where one is at fault.
 */
export async function loadMetadataFile(store: AspectStore, file: string, time: number): Promise<LoadSummary> {
  const records = await readRecords(file);
  const proposed = new Map<string, Numbered>();
  let timeseries = 0;
  for (const [index, record] of records.entries()) {
    for (const part of explained(file, index, () => aspectsOfRecord(record))) {
      if (isTimeseries(part.aspect)) timeseries += 1;
      else proposed.set(`${part.urn} ${part.aspect}`, { ...part, index });
    }
  }
  const written = store.transaction(() => writeAll(store, file, [...proposed.values()], time));
  return { records: records.length, written, unchanged: proposed.size - written, timeseries };
}

type Numbered = ProposedAspect & { readonly index: number };

function writeAll(store: AspectStore, file: string, aspects: readonly Numbered[], time: number): number {
  const fresh = new Map<string, AuditTrail>();
  let written = 0;
  for (const { urn, aspect, value, systemMetadata, index } of aspects) {
    const audit: AuditTrail = {
      actor: catalogUser,
      time,
      systemMetadata: systemMetadata ?? { lastObserved: time, runId: "no-run-id-provided" },
    };
    if (!fresh.has(urn) && !entityExists(store, urn)) fresh.set(urn, audit);
    if (explained(file, index, () => writeAspect(store, urn, aspect, value, audit))) written += 1;
  }
  for (const [urn, audit] of fresh) addDefaultAspects(store, urn, audit);
  return written;
}

async function readRecords(file: string): Promise<readonly Json[]> {
  const fault = (reason: string): LocalCatalogError =>
    new LocalCatalogError(`${file} cannot be loaded: ${reason}.`);
  let records: unknown;
  try {
    records = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw fault(error instanceof Error ? error.message : String(error));
  }
  if (!Array.isArray(records)) throw fault("it is not a JSON array of metadata records");
  return records as readonly Json[];
}

function explained<T>(file: string, index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LocalCatalogError(
      `${file} cannot be loaded: record ${index + 1}: ${reason}. Nothing of this file was loaded.`,
    );
  }
}
