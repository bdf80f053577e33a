/** Reads stored aspects that GraphQL does not show. */

import { facets, facetsOf } from "../../facets/index.ts";
import { kindOfUrn } from "../../kinds/index.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { type JsonObject } from "../../model/json.ts";
import type { State } from "../../model/state.ts";
import { notViewable } from "../../model/restricted.ts";
import type { Urn } from "../../model/urn.ts";
import { batchesByType, type RequestedAspects } from "../../datahub/aspect-batches.ts";
import type { Reader } from "../../datahub/client.ts";
import type { ReadOptions } from "./read-batches.ts";
import { storedValues } from "./stored-readings.ts";

/** The stored aspects of each entity, keyed by name, or the reason why they are unknown. */
export type ExtraAspects = ReadonlyMap<Urn, JsonObject | string>;

/** The kinds with facets that GraphQL does not show. */
const kindsWithHiddenFacets: ReadonlySet<string> = new Set(
  facets.flatMap((facet) => facet.kinds.filter((kind) => facet.isOnlyStored?.(kind))),
);

/**
 * Reads the declared aspects that GraphQL does not show, and the status of entities, which shows soft deletions. Throws only if
 * the signal is aborted.
 */
export async function readExtraAspects(
  reader: Reader,
  wanted: State,
  urns: Iterable<Urn>,
  { signal }: ReadOptions,
): Promise<ExtraAspects> {
  return await readAspectsOf(
    reader,
    [...urns].flatMap((urn) => wantedOf(wanted, urn)),
    signal,
  );
}

/** Reads the stored aspects of entities, or the reasons why they are unknown. Throws only if the signal is aborted. */
export async function readAspectsOf(
  reader: Reader,
  wanted: readonly RequestedAspects[],
  signal: AbortSignal | undefined,
): Promise<ExtraAspects> {
  const found = new Map<Urn, JsonObject | string>();
  const onForbidden = (urn: Urn): void => void found.set(urn, notViewable);
  for (const { entityType, batch } of batchesByType(wanted, entitiesOfARequest)) {
    const answer = await reader.stored.read(entityType, batch, signal, { orEach: true, onForbidden });
    for (const { urn } of batch) {
      if (found.has(urn)) continue;
      found.set(urn, typeof answer === "string" ? notAnswered : storedValues(answer.get(urn)));
    }
  }
  return found;
}

/** Number of entities in a request. Servers accept at most 1,000. */
const entitiesOfARequest = 100;

/** The reason that is reported if the server does not return stored aspects. */
export const notAnswered = "the server does not return its stored aspects";

/** Adds an entity's stored aspects to the aspects in a response. Throws `CatalogError` if the aspects could not be read. */
export function withExtraAspects(aspects: JsonObject, urn: Urn, stored: ExtraAspects): JsonObject {
  const own = stored.get(urn);
  if (typeof own === "string") throw new CatalogError("answer", own);
  return own ? { ...aspects, ...own } : aspects;
}

function wantedOf(wanted: State, urn: Urn): readonly RequestedAspects[] {
  const kind = kindOfUrn(urn)?.name;
  const entity = kind !== undefined && kindsWithHiddenFacets.has(kind) ? wanted.get(urn) : undefined;
  if (!entity) return [];
  const hidden = facetsOf(entity.kind).filter(
    (facet) =>
      facet.isOnlyStored?.(entity.kind) && (facet.makesReferenceable || entity.facets.has(facet.name)),
  );
  if (hidden.length === 0) return [];
  return [{ urn, aspects: [...new Set(hidden.flatMap((facet) => facet.aspects(entity.kind)))] }];
}
