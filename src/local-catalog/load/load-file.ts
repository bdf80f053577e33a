import { readFile } from "node:fs/promises";
import type { Json } from "../../model/json.ts";
import type { AspectStore, AuditTrail } from "../store/aspect-store.ts";
import { entityExists, storeAspect, writeAspect } from "../store/aspect-write.ts";
import { addDefaultAspects } from "../store/default-aspects.ts";
import { catalogUser, noRunId } from "../store/audit.ts";
import { LocalCatalogError, messageOf } from "../errors.ts";
import { isJsonList } from "../json.ts";
import { aspectsOfRecord, type ProposedAspect } from "./metadata-record.ts";
import { isTimeseries } from "../registry/registry-data.ts";

/** The result of loading a file. */
export interface LoadSummary {
  readonly records: number;
  /** Aspects that were new or different. */
  readonly written: number;
  /** Aspects that were already stored with this value. */
  readonly unchanged: number;
  /** Timeseries aspects, which are counted and not stored. */
  readonly timeseries: number;
}

/** Called with how many aspects of a file are loaded, and how many it has. */
export type OnLoaded = (done: number, total: number) => void;

/** How many aspects are loaded between two calls of `onProgress`. */
const progressInterval = 1000;

/**
 * Loads one DataHub metadata file in one transaction. If the file contains an aspect twice, the last value counts, as in a
 * batch of proposals to DataHub. So loading a file again changes nothing.
 * @throws LocalCatalogError naming the file, and the number (from 1) of the invalid record if there is one.
 */
export async function loadMetadataFile(
  store: AspectStore,
  file: string,
  time: number,
  onProgress: OnLoaded = () => {},
): Promise<LoadSummary> {
  const records = await readRecords(file);
  const proposed = new Map<string, ProposedAspect & { readonly index: number }>();
  let timeseries = 0;
  for (const [index, record] of records.entries()) {
    for (const part of atRecord(file, index, () => aspectsOfRecord(record))) {
      if (isTimeseries(part.aspect)) timeseries += 1;
      else proposed.set(`${part.urn} ${part.aspect}`, { ...part, index });
    }
  }
  const fresh = new Map<string, AuditTrail>();
  let [done, written] = [0, 0];
  store.transaction(() => {
    for (const { index, ...aspect } of proposed.values()) {
      if (done % progressInterval === 0) onProgress(done, proposed.size);
      done += 1;
      const systemMetadata = aspect.systemMetadata ?? { lastObserved: time, runId: noRunId };
      const audit = { actor: catalogUser, time, systemMetadata };
      if (!fresh.has(aspect.urn) && !entityExists(store, aspect.urn)) fresh.set(aspect.urn, audit);
      if (atRecord(file, index, () => loadAspect(store, aspect, audit))) written += 1;
    }
    for (const [urn, audit] of fresh) addDefaultAspects(store, urn, audit);
  });
  return { records: records.length, written, unchanged: proposed.size - written, timeseries };
}

// A file is a copy of what a DataHub stores. One from before 1.7 stored no associations, and 1.7 does not add them until
// the next write.
function loadAspect(store: AspectStore, proposed: ProposedAspect, audit: AuditTrail): boolean {
  const { aspect, value } = proposed;
  const isOldForm = aspect === "domains" && value["domainAssociations"] === undefined;
  return (isOldForm ? storeAspect : writeAspect)(store, proposed, audit);
}

async function readRecords(file: string): Promise<readonly Json[]> {
  const fault = (reason: string): LocalCatalogError =>
    new LocalCatalogError(`${file} cannot be loaded: ${reason}.`);
  let records: Json;
  try {
    records = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw fault(messageOf(error));
  }
  if (!isJsonList(records)) throw fault("it is not a JSON array of metadata records");
  return records;
}

function atRecord<T>(file: string, index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new LocalCatalogError(
      `${file} cannot be loaded: record ${index + 1}: ${messageOf(error)}. Nothing was loaded from this file.`,
    );
  }
}
