/** Loads DataHub metadata files into the store, and counts the written, unchanged and omitted aspects. */

import type { Json, JsonObject } from "../../model/json.ts";
import type { AspectStore, AuditTrail } from "../store/aspect-store.ts";
import { entityExists, storeAspect, writeAspect } from "../store/aspect-write.ts";
import { addDefaultAspects } from "../store/default-aspects.ts";
import { catalogUser, noRunId } from "../store/audit.ts";
import { LocalCatalogError, messageOf } from "../errors.ts";
import { patchedAspect } from "../proposals/aspect-patch.ts";
import { isTimeseries } from "../registry/registry-data.ts";
import { validatedAspect } from "../registry/validate-aspect.ts";
import { type ProposedAspect, readRecord, withoutUnknown } from "./metadata-record.ts";
import { readRecords } from "./read-records.ts";

/** Counts that summarize the result of loading a file. */
export interface LoadSummary extends ContentCounts {
  /** Number of aspects that the file added or changed. */
  readonly written: number;
  /**
   * Number of aspects that already have the file's value, or that were not created because the aspect or its entity already
   * exists.
   */
  readonly unchanged: number;
}

/** Counts of the records and aspects in a file. */
interface ContentCounts {
  readonly records: number;
  /** Number of timeseries aspects, which the catalog does not store. */
  readonly timeseries: number;
  /** Number of records that have no effect in DataHub: usage records, and records that delete aspects. */
  readonly skipped: number;
  /**
   * The number of omitted aspects that are not in the registry, keyed by aspect and entity type, such as `lineageFeatures of
   * dataset`.
   */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Options for loading a file. */
export interface LoadOptions {
  /** Called with the number of loaded aspects, and the total number in the file. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Whether an aspect that is not in the registry makes the file invalid; off by default. */
  readonly isStrict?: boolean;
}

/** The number of aspects to load between two calls to `onProgress`. */
const progressInterval = 1000;

interface PlacedAspect extends ProposedAspect {
  /** The record's index in the file. */
  readonly index: number;
}

interface FileContent extends ContentCounts {
  readonly aspects: readonly PlacedAspect[];
}

/**
 * Loads one DataHub metadata file in a single transaction. If the file contains an aspect several times, the last value is
 * stored, as when DataHub receives a batch of proposals. A record that creates an aspect has no effect if the aspect already
 * exists. Loading the same file again therefore changes nothing.
 * @throws LocalCatalogError when the file cannot be loaded. The message includes the file and the number of the invalid record,
 * if any, counted from 1.
 */
export async function loadMetadataFile(
  store: AspectStore,
  file: string,
  time: number,
  { onProgress = () => {}, isStrict = false }: LoadOptions = {},
): Promise<LoadSummary> {
  const { aspects, ...counts } = contentOf(file, await readRecords(file), isStrict);
  const fresh = new Map<string, AuditTrail>();
  const summary = { ...counts, written: 0, unchanged: 0 };
  store.transaction(() => {
    const outcome = outcomeOf(file, aspects, store, time);
    summary.unchanged = outcome.unchanged;
    const total = outcome.aspects.length;
    for (const [done, { index, ...aspect }] of outcome.aspects.entries()) {
      if (done % progressInterval === 0) onProgress(done, total);
      const systemMetadata = aspect.systemMetadata ?? { lastObserved: time, runId: noRunId };
      const audit = { actor: catalogUser, time, systemMetadata };
      if (!fresh.has(aspect.urn) && !entityExists(store, aspect.urn)) fresh.set(aspect.urn, audit);
      if (atRecord(file, index, () => loadAspect(store, aspect, audit))) summary.written += 1;
      else summary.unchanged += 1;
    }
    for (const [urn, audit] of fresh) addDefaultAspects(store, urn, audit);
  });
  return summary;
}

function contentOf(file: string, records: readonly Json[], isStrict: boolean): FileContent {
  const aspects: PlacedAspect[] = [];
  const leftOut = new Map<string, number>();
  let [timeseries, skipped] = [0, 0];
  for (const [index, record] of records.entries()) {
    const read = atRecord(file, index, () =>
      isStrict ? withoutUnknown(readRecord(record)) : readRecord(record),
    );
    for (const { aspect, type } of read.unknown) {
      const what = `${aspect} of ${type}`;
      leftOut.set(what, (leftOut.get(what) ?? 0) + 1);
    }
    if (read.aspects.length + read.unknown.length === 0) skipped += 1;
    for (const part of read.aspects) {
      if (isTimeseries(part.aspect)) timeseries += 1;
      else aspects.push({ ...part, index });
    }
  }
  return { records: records.length, aspects, timeseries, skipped, leftOut };
}

/**
 * Merges a file's aspects so that each aspect occurs only once. Applies patches, and skips records that create an aspect or
 * entity that already exists.
 */
function outcomeOf(
  file: string,
  aspects: readonly PlacedAspect[],
  store: AspectStore,
  now: number,
): { readonly aspects: readonly PlacedAspect[]; readonly unchanged: number } {
  const byPlace = new Map<string, PlacedAspect>();
  const created = new Set<string>();
  for (const part of aspects) {
    const { urn, aspect, changeType, index } = part;
    const place = `${urn} ${aspect}`;
    const before = (): JsonObject | undefined => byPlace.get(place)?.value ?? store.storedValue(urn, aspect);
    if (changeType === "PATCH") {
      const value = atRecord(file, index, () =>
        validatedAspect(aspect, patchedAspect(aspect, before(), { sent: part.value, now })),
      );
      byPlace.set(place, { ...part, value });
    } else if (
      changeType === "CREATE" ? before() : changeType === "CREATE_ENTITY" && entityExists(store, urn)
    )
      created.add(place);
    else byPlace.set(place, part);
  }
  const unchanged = [...created].filter((place) => !byPlace.has(place)).length;
  return { aspects: [...byPlace.values()], unchanged };
}

// Stores `domains` aspects from releases before 1.7 unchanged. They contain no associations, and DataHub 1.7 adds associations to
// a stored aspect only on the next write.
function loadAspect(store: AspectStore, proposed: ProposedAspect, audit: AuditTrail): boolean {
  const { aspect, value, changeType } = proposed;
  const isOldForm =
    aspect === "domains" && changeType !== "PATCH" && value["domainAssociations"] === undefined;
  return (isOldForm ? storeAspect : writeAspect)(store, proposed, audit);
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
