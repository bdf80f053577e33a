/** Reads the writers of values that a plan removes or does not manage. */

import { attributionIn } from "../../facets/attribution.ts";
import { facetNamed } from "../../facets/index.ts";
import {
  type WriterSource,
  type FacetChange,
  isFacetChange,
  isSetChange,
  type ValuePlace,
  type Written,
} from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { ShownValues, UnmanagedValue } from "../../model/plan.ts";
import { placeKey } from "../../model/place.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { parseUrn, type Urn } from "../../model/urn.ts";
import { isByOtherWriter, type WriterOf } from "../../plan/notes/details.ts";
import { batchesByType } from "../../datahub/aspect-batches.ts";
import type { Reader } from "../../datahub/client.ts";
import type { ReadOptions } from "./read-batches.ts";
import { mapConcurrently } from "./map-concurrently.ts";
import { valueKey } from "../../model/values.ts";

/** Maximum number of entities for which the writers of unmanaged values are read. */
const maxKept = 500;

/**
 * Reads the writers of removed values, and of unmanaged values on the first 500 entities. Uses a value's own attribution, which
 * DataHub 1.3 and later write. If there is none, uses the audit stamp of its aspect. Ignores `systemMetadata.lastObserved`,
 * because repeated ingestion changes it. Throws only if the signal is aborted.
 */
export async function readLastWriters(
  reader: Pick<Reader, "stored" | "concurrency">,
  shown: ShownValues,
  { batch = 100, signal }: ReadOptions = {},
): Promise<WriterOf> {
  // Keep only the requested facts, because the aspects of many entities would use too much memory.
  const found = new Map<string, Known>();
  const places = groupBy(placesIn(shown), ({ urn }) => urn);
  const note = (urn: string, entity: JsonObject): void => {
    for (const at of places.get(urn as Urn) ?? []) {
      const envelope = entity[aspectOf(at) ?? ""];
      if (!isJsonObject(envelope)) continue;
      const stored = isJsonObject(envelope["value"]) ? envelope["value"] : {};
      for (const value of valuesAt(at)) {
        const own = attributionIn(at, value, stored);
        const source = isFought(at) && sourceOf(own, envelope);
        found.set(keyOf(at, value), { written: writerOf(own, envelope), ...(source && { source }) });
      }
    }
  };
  let isKnown = true;
  const wanted = [...places].flatMap(([urn, own]) => {
    const aspects = new Set(own.flatMap((at) => aspectOf(at) ?? []));
    return aspects.size > 0 ? [{ urn, aspects: [...aspects] }] : [];
  });
  await mapConcurrently(reader, batchesByType(wanted, batch), async ({ entityType, batch: some }) => {
    const answer = isKnown ? await reader.stored.read(entityType, some, signal) : "unknown";
    if (answer === "unknown") isKnown = false;
    else if (typeof answer !== "string") for (const [urn, entity] of answer) note(urn, entity);
  });
  signal?.throwIfAborted();
  return (at, value, of) => {
    const { written = {}, source } = found.get(keyOf(at, value)) ?? {};
    return of === "opponent" ? { ...written, ...source } : written;
  };
}

/** The writer of a value, and the source of the value if there is a fight about it. */
interface Known {
  readonly written: Written;
  readonly source?: WriterSource;
}

function keyOf(at: ValuePlace, value: Member | Scalar): string {
  return `${at.urn}\0${placeKey(at)}\0${valueKey(value)}`;
}

/** An unmanaged value, or a change that removes a value. */
type WrittenPlace = FacetChange | UnmanagedValue;

function valuesAt(at: WrittenPlace): readonly (Member | Scalar)[] {
  if ("value" in at) return [at.value];
  return isSetChange(at) ? [...at.remove, ...(at.fights ?? []).map(({ value }) => value)] : [at.before];
}

function isFought(at: WrittenPlace): boolean {
  return !("value" in at) && at.fights !== undefined;
}

function placesIn({ changes, unmanaged }: ShownValues): readonly WrittenPlace[] {
  const byEntity = groupBy(unmanaged.filter(isByOtherWriter), ({ urn }) => urn);
  const kept = [...byEntity.values()].slice(0, maxKept).flat();
  return [...changes.filter(isFacetChange).filter(hasWriter), ...kept];
}

function hasWriter(change: FacetChange): boolean {
  return (
    change.fights !== undefined || (isSetChange(change) ? change.remove.length > 0 : change.before !== null)
  );
}

function aspectOf({ facet, kind }: ValuePlace): string | undefined {
  return facetNamed(facet).storedIn?.(kind);
}

/** The value that DataHub stores if there is no run (metadata-models SystemMetadata.pdl). */
const noRun = "no-run-id-provided";

/** Returns the source of a value: the agent from its attribution, and the ingestion run and pipeline from its aspect. */
function sourceOf(own: JsonObject | undefined, envelope: JsonObject): WriterSource {
  const agent = own?.["source"];
  const system = envelope["systemMetadata"];
  const { runId, pipelineName }: JsonObject = isJsonObject(system) ? system : {};
  return {
    ...(typeof agent === "string" && { agent }),
    ...(typeof runId === "string" && runId !== noRun && { ingestionRun: runId }),
    ...(typeof pipelineName === "string" && { pipeline: pipelineName }),
  };
}

function writerOf(own: JsonObject | undefined, envelope: JsonObject): Written {
  const writer = stampIn(own);
  if (writer) return writer;
  const last = stampIn(envelope["auditStamp"]);
  return last ? { ...last, lastWriterOfAspect: true } : {};
}

/** Returns a stamp in the form that plans show, or `undefined` if the stamp is empty (time 0 or DataHub's default actor). */
function stampIn(stamp: Json | undefined): { readonly actor: string; readonly time: string } | undefined {
  if (!isJsonObject(stamp)) return undefined;
  const { actor, time } = stamp;
  if (typeof actor !== "string" || typeof time !== "number") return undefined;
  if (actor === "urn:li:corpuser:unknown" || "fault" in parseUrn(actor)) return undefined;
  const date = new Date(time);
  return time > 0 && !Number.isNaN(date.getTime()) ? { actor, time: date.toISOString() } : undefined;
}
