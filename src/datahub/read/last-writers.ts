import pLimit from "p-limit";
import { facetNamed } from "../../facets/index.ts";
import {
  type Change,
  type FacetChange,
  isFacetChange,
  isSetChange,
  type Removed,
} from "../../model/change.ts";
import { chunks, groupBy } from "../../model/group-by.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { KindName, Member, Scalar } from "../../model/state.ts";
import { parseUrn } from "../../model/urn.ts";
import type { AspectBatchReader, WantedAspects } from "../client/aspect-batches.ts";
import type { ReadOptions } from "./read-batches.ts";

/** Who put there a value that a change takes away, and when; an empty object where nobody knows. */
export type LastWriters = (
  change: FacetChange,
  value: Member | Scalar,
) => Pick<Removed, "actor" | "time" | "lastWriterOfAspect">;

/**
 * Reads who put there what the changes take away: by the value's own attribution, which DataHub 1.3 and later write,
 * else by the stamp of the last write of its aspect. `systemMetadata.lastObserved` is no such stamp: ingesting the same
 * again moves it. A server that cannot tell leaves nothing known. Throws only the reason of a signal.
 */
export async function readLastWriters(
  aspects: AspectBatchReader,
  changes: readonly Change[],
  { concurrency = 8, batch = 100, signal }: Omit<ReadOptions, "onProgress"> = {},
): Promise<LastWriters> {
  const limit = pLimit(concurrency);
  const found = new Map<string, JsonObject>();
  let isKnown = true;
  const read = async (kind: KindName, some: readonly WantedAspects[]): Promise<void> => {
    const answer = isKnown ? await aspects.read(kind, some, signal) : "unknown";
    if (answer === "unknown") isKnown = false;
    else if (answer !== "refused") for (const [urn, entity] of answer) found.set(urn, entity);
  };
  const requests = [...wantedByKind(changes)].flatMap(([kind, wanted]) =>
    chunks(wanted, batch).map((some) => limit(() => read(kind, some))),
  );
  await Promise.all(requests).finally(() => limit.clearQueue());
  signal?.throwIfAborted();
  return (change, value) => writerOf(change, value, found.get(change.urn));
}

function wantedByKind(changes: readonly Change[]): ReadonlyMap<KindName, readonly WantedAspects[]> {
  const wanted = changes.flatMap((change) => {
    const aspect = isFacetChange(change) && takesAway(change) ? aspectOf(change) : undefined;
    return aspect === undefined ? [] : [{ kind: change.kind, urn: change.urn, aspect }];
  });
  return new Map(
    [...groupBy(wanted, ({ kind }) => kind)].map(([kind, ofKind]) => [
      kind,
      [...groupBy(ofKind, ({ urn }) => urn)].map(([urn, ofUrn]) => ({
        urn,
        aspects: [...new Set(ofUrn.map(({ aspect }) => aspect))],
      })),
    ]),
  );
}

function takesAway(change: FacetChange): boolean {
  return isSetChange(change) ? change.remove.length > 0 : change.before !== null;
}

function aspectOf({ facet, kind }: FacetChange): string | undefined {
  return facetNamed(facet).storedIn?.aspect(kind);
}

function writerOf(
  change: FacetChange,
  value: Member | Scalar,
  entity: JsonObject | undefined,
): ReturnType<LastWriters> {
  const aspect = aspectOf(change);
  const envelope = aspect === undefined ? undefined : entity?.[aspect];
  if (!isJsonObject(envelope)) return {};
  const held = isJsonObject(envelope["value"]) ? envelope["value"] : {};
  const own = stampIn(facetNamed(change.facet).storedIn?.attribution?.(held, value, change.column));
  if (own) return own;
  const last = stampIn(envelope["auditStamp"]);
  return last ? { ...last, lastWriterOfAspect: true } : {};
}

/** The stamp as a plan tells it; nothing of one that says nothing: at time 0, or by DataHub's default actor. */
function stampIn(stamp: Json | undefined): { readonly actor: string; readonly time: string } | undefined {
  if (!isJsonObject(stamp)) return undefined;
  const { actor, time } = stamp;
  if (typeof actor !== "string" || typeof time !== "number") return undefined;
  if (actor === "urn:li:corpuser:unknown" || "fault" in parseUrn(actor)) return undefined;
  const date = new Date(time);
  return time > 0 && !Number.isNaN(date.getTime()) ? { actor, time: date.toISOString() } : undefined;
}
