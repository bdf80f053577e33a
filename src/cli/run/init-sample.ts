/** Reads a sample of assets to determine whether people edit the catalog, for `init`. */

import { createReader, type Reader } from "../../datahub/client.ts";
import { discover } from "../../sync/read/discover.ts";
import { readLastWriters } from "../../sync/read/last-writers.ts";
import { withAllFacets } from "../../sync/read/entities-to-read.ts";
import { readLive } from "../../sync/read/live-state.ts";
import { kindOfUrn, kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { appendTo } from "../../model/append.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Entity } from "../../model/state.ts";
import { isUrn, keyOf, type Urn } from "../../model/urn.ts";
import { liveValues } from "../../plan/explain/explained-facets.ts";
import type { Connection } from "../../datahub/http/connection.ts";

/** The number of assets to read for each kind. */
const sampleSize = 50;

/** Counts of sampled assets. */
export interface Sample {
  readonly assets: number;
  /** Assets with values that manifests can declare. */
  readonly assigned: number;
  /** Assets with a value that was last set by a person. */
  readonly byPeople: number;
  /** Assets with a value whose writer is unknown. */
  readonly unknown: number;
}

/**
 * Reads the first assets of each kind. This needs only a few requests, regardless of the size of the catalog. Throws
 * `CatalogError`.
 */
export async function readSample(connection: Connection, signal: AbortSignal): Promise<Sample> {
  const reader = createReader(connection);
  const observed = kinds.filter(({ lifecycle }) => lifecycle === "observed");
  const entities: Entity[] = [];
  for (const kind of observed) appendTo(entities, await sampleOf(kind, reader, signal));
  const values = entities.flatMap((entity) =>
    liveValues(entity).map((each) => ({ ...each, reason: "other-writer" as const })),
  );
  const writerOf = await readLastWriters(reader, { changes: [], unmanaged: values }, { signal });
  const byAsset = [...groupBy(values, ({ urn }) => urn).values()];
  const writers = byAsset.map((own) => own.map((each) => writerOf(each, each.value).actor));
  return {
    assets: entities.length,
    assigned: byAsset.length,
    byPeople: writers.filter((actors) => actors.some(isPerson)).length,
    unknown: writers.filter((actors) => actors.includes(undefined)).length,
  };
}

async function sampleOf(kind: Kind, reader: Reader, signal: AbortSignal): Promise<readonly Entity[]> {
  const urns = await firstPage(kind, reader, signal);
  const { state } = await readLive(reader, withAllFacets(urns.slice(0, sampleSize)), { signal });
  return [...state.values()];
}

async function firstPage(kind: Kind, reader: Reader, signal: AbortSignal): Promise<readonly Urn[]> {
  for await (const { urns } of discover(reader, { kind }, signal)) return urns;
  return [];
}

/** Whether a URN belongs to a person rather than to one of DataHub's built-in users. */
function isPerson(actor: string | undefined): boolean {
  if (!isUrn(actor)) return false;
  return kindOfUrn(actor)?.isSystem?.(keyOf(actor)) === false;
}
