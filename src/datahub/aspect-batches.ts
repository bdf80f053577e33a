/** Reads stored aspects of many entities through OpenAPI's `batchGet`, optionally with the version of each aspect. */

import { asCatalogError, CatalogError } from "../model/catalog-error.ts";
import { canonicalJson, isJsonObject, type JsonObject } from "../model/json.ts";
import { restClient, envelopesIn, type StoredAspect, storedIn } from "./aspect-client.ts";
import { chunks, groupBy } from "../model/group-by.ts";
import { entityTypeOf, type Urn } from "../model/urn.ts";
import { requestInBatches, type RequestBatch } from "./http/batch-size.ts";
import { keepDigits, parseJson } from "./json-text.ts";
import type { Connection } from "./http/connection.ts";

/** An entity, and the names of the aspects to read. */
export interface RequestedAspects {
  readonly urn: Urn;
  readonly aspects: readonly string[];
}

/**
 * Groups entities into batches for `AspectBatchReader`. The entities in a batch have the same type, and there are at most `size`
 * of them.
 */
export function batchesByType(
  wanted: readonly RequestedAspects[],
  size: number,
): readonly { readonly entityType: string; readonly batch: readonly RequestedAspects[] }[] {
  return [...groupBy(wanted, ({ urn }) => entityTypeOf(urn))].flatMap(([entityType, own]) =>
    chunks(own, size).map((batch) => ({ entityType, batch })),
  );
}

interface BatchOptions {
  readonly withMetadata?: boolean;
  readonly orEach?: boolean;
  readonly onForbidden?: (urn: Urn) => void;
}

/** A client that reads aspects of many entities of the same type per request. */
export interface AspectBatchReader {
  /**
   * Returns each entity's aspects in the server's envelopes, keyed by aspect name. Omits entities without aspects. Splits a
   * request that may be too large. Throws only the abort reason of `interrupted`, without waiting for the response.
   *
   * If the batch fails, returns the reason:
   * - `unknown`: the server does not support the request.
   * - `refused`: the server rejected the request, returned contradictory data, or did not respond like DataHub.
   * - `busy`: after all retries, the server or a gateway still responds with 429 or 5xx.
   *
   * The options have these effects:
   * - `withMetadata: false` returns values without metadata, which halves the size of the response.
   * - `orEach: true` reads the entities one by one over Rest.li if the batch fails. Batches always fail in releases before 0.14.
   * - `onForbidden` receives the URN of each entity that the token may not view. After HTTP 403, the reader halves the batch
   *   repeatedly to find these entities, and omits them.
   */
  read(
    entityType: string,
    wanted: readonly RequestedAspects[],
    interrupted?: AbortSignal,
    options?: BatchOptions,
  ): Promise<AspectsAnswer>;
}

/** The aspects of entities, or the reason why a batch could not be read. */
type AspectsAnswer = ReadonlyMap<string, JsonObject> | "unknown" | "refused" | "busy";

/**
 * Creates a reader that uses OpenAPI's `batchGet` (DataHub 0.14 and later). `batchGet` reads the primary store instead of an
 * index. Since pull request #11118, each aspect includes an `auditStamp`, which records who wrote the value and when
 * (EntityController.java). `parse` parses responses.
 */
export function createAspectBatchReader(
  connection: Connection,
  parse?: (text: string) => unknown,
): AspectBatchReader {
  const ask = restClient(connection, parse);
  const readEach = async (
    wanted: readonly RequestedAspects[],
    interrupted: AbortSignal | undefined,
    onForbidden: BatchOptions["onForbidden"],
  ): Promise<AspectsAnswer> => {
    const found = new Map<string, JsonObject>();
    for (const { urn, aspects } of wanted) {
      const path = `/entitiesV2/${encodeURIComponent(urn)}?aspects=List(${aspects.join(",")})`;
      const { response, body } = await ask(path, undefined, { interrupted });
      if (response.status === 403) onForbidden?.(urn);
      if (response.status === 404 || response.status === 403) continue;
      if (!response.ok) return "refused";
      found.set(urn, envelopesIn(body, urn, connection.endpoint));
    }
    return found;
  };
  let hasAnswered = false;
  return {
    read: async (entityType, wanted, interrupted, options = {}) => {
      const { withMetadata = true, orEach = false, onForbidden } = options;
      const path = `/openapi/v3/entity/${entityType}/batchGet?systemMetadata=${withMetadata}`;
      const readTogether: RequestBatch<RequestedAspects, AspectsAnswer> = async (some, isWorthRepeating) => {
        const body = some.map(({ urn, aspects }) => ({
          ...Object.fromEntries(aspects.map((name) => [name, {}])),
          urn,
        }));
        // If OpenAPI has never responded, a timeout probably means that every request hangs, not that the batch is too large.
        const hangs = (error: unknown): boolean =>
          !hasAnswered && error instanceof CatalogError && error.failure === "timeout";
        const result = await ask(path, body, {
          interrupted,
          isWorthRepeating: (error) => isWorthRepeating(error) && !hangs(error),
        }).catch((error: unknown) => {
          if (hangs(error)) return undefined;
          throw error;
        });
        if (!result) return "refused";
        const { response, body: answered } = result;
        if (response.status === 404 || response.status === 405) return "unknown";
        // A response that is not JSON comes from a gateway, not from DataHub, and is not about a specific entity.
        if (response.status === 403 && answered !== undefined) {
          const [first] = some;
          if (first && some.length === 1) onForbidden?.(first.urn);
          if (some.length <= 1) return new Map();
          const all = new Map<string, JsonObject>();
          for (const half of chunks(some, Math.ceil(some.length / 2))) {
            const found = await readTogether(half, isWorthRepeating);
            if (typeof found === "string") return found;
            for (const [urn, aspects] of found) all.set(urn, aspects);
          }
          return all;
        }
        if (response.status >= 500) return "busy";
        if (!response.ok || !Array.isArray(answered)) return "refused";
        hasAnswered = true;
        const { found, contradictory } = byUrn(answered);
        return contradictory.size === 0 ? found : "refused";
      };
      const answer = await orRefused(
        wanted.length === 0
          ? readTogether(wanted, () => true)
          : joined(requestInBatches(connection.traffic, wanted, readTogether)),
      );
      return orEach && typeof answer === "string"
        ? await orRefused(readEach(wanted, interrupted, onForbidden))
        : answer;
    },
  };
}

async function orRefused(answer: Promise<AspectsAnswer>): Promise<AspectsAnswer> {
  try {
    return await answer;
  } catch (error) {
    const status = asCatalogError(error).details.status ?? 0;
    // An overloaded or failing server or gateway does not show whether the server supports OpenAPI.
    return status === 429 || status >= 500 ? "busy" : "refused";
  }
}

async function joined(parts: Promise<readonly AspectsAnswer[]>): Promise<AspectsAnswer> {
  const all = new Map<string, JsonObject>();
  for (const part of await parts) {
    if (typeof part === "string") return part;
    for (const [urn, aspects] of part) all.set(urn, aspects);
  }
  return all;
}

/** Reads aspects of many entities, including the version of each aspect, which conditional writes need. */
export interface VersionReader {
  /**
   * Returns the requested aspects, with `missingAspect` for each aspect that is not stored. Omits entities that could not be
   * read. Throws only the abort reason of `signal`.
   */
  read(wanted: readonly RequestedAspects[], signal?: AbortSignal): Promise<Versions>;
}

/** Stored aspects, keyed by URN and aspect name. */
type Versions = ReadonlyMap<string, ReadonlyMap<string, StoredAspect>>;

const maxEntities = 100;

/**
 * Creates a reader that sends separate `batchGet` requests for each entity type. DataHub releases before 0.14 do not support
 * `batchGet`. If the first request shows this, the reader sends no more requests.
 */
export function createVersionReader(connection: Connection): VersionReader {
  const aspects = createAspectBatchReader(connection, (text) => parseJson(text, keepDigits));
  let isKnown = true;
  return {
    read: async (wanted, signal) => {
      const versions = new Map<string, ReadonlyMap<string, StoredAspect>>();
      for (const { entityType, batch } of batchesByType(wanted, maxEntities)) {
        if (!isKnown) continue;
        const forbidden = new Set<string>();
        const onForbidden = (urn: string): void => void forbidden.add(urn);
        const answer = await aspects.read(entityType, batch, signal, { onForbidden });
        if (answer === "unknown") isKnown = false;
        if (typeof answer === "string") continue;
        for (const { urn, aspects: names } of batch) {
          if (forbidden.has(urn)) continue;
          const stored = storedOf(answer.get(urn), names);
          if (stored) versions.set(urn, stored);
        }
      }
      return versions;
    },
  };
}

/** Returns an entity's aspects, keyed by name, or `undefined` if any of them is malformed. */
function storedOf(
  entity: JsonObject | undefined,
  names: readonly string[],
): ReadonlyMap<string, StoredAspect> | undefined {
  try {
    return new Map(names.map((name) => [name, storedIn(entity?.[name], name)]));
  } catch (error) {
    if (error instanceof CatalogError) return undefined;
    throw error;
  }
}

interface AnsweredEntities {
  readonly found: ReadonlyMap<string, JsonObject>;
  /** The URNs of entities that appear more than once in the response, with different content. */
  readonly contradictory: ReadonlySet<string>;
}

/** Returns the entities in a response, keyed by URN. Omits entities without a URN. */
export function byUrn(entities: readonly unknown[]): AnsweredEntities {
  const found = new Map<string, JsonObject>();
  const contradictory = new Set<string>();
  for (const entity of entities) {
    const urn = isJsonObject(entity) ? entity["urn"] : undefined;
    if (!isJsonObject(entity) || typeof urn !== "string") continue;
    const before = found.get(urn);
    if (before && canonicalJson(before) !== canonicalJson(entity)) contradictory.add(urn);
    found.set(urn, entity);
  }
  return { found, contradictory };
}
