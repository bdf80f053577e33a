import { CatalogError } from "../model/catalog-error.ts";
import { canonicalJson, isJsonObject, type JsonObject } from "../model/json.ts";
import { asker, envelopesIn, type StoredAspect, storedIn } from "./aspect-client.ts";
import type { Connection } from "./connection.ts";
import { chunks, groupBy } from "../model/group-by.ts";
import { entityTypeOf, type Urn } from "../model/urn.ts";
import { askInParts, type AskPart } from "./http/batch-size.ts";
import { kept, parseJson } from "./json-text.ts";

/** An entity and the aspects that are asked for of it. */
export interface WantedAspects {
  readonly urn: string;
  readonly aspects: readonly string[];
}

interface BatchOptions {
  readonly withMetadata?: boolean;
  readonly orEach?: boolean;
  readonly onForbidden?: (urn: string) => void;
}

/** Reads aspects of many entities of one type at once. It knows one request, which writes nothing. */
export interface AspectBatchReader {
  /**
   * The aspects of each entity by name, each in the envelope that the server puts around it; entities without any are left out.
   * `unknown` where the server does not know the request, `refused` where it does not carry it out, contradicts itself, or does not
   * answer as DataHub does, `busy` where it, or a gateway, answers 429 or 5xx to the end. A request that may be too large is sent in
   * parts. Throws only the reason of `interrupted`, without waiting for the answer. With `withMetadata: false` the
   * envelopes hold the values alone, in half as many bytes. With `orEach: true` a server that does not answer is asked for one
   * entity after the other by Rest.li, as releases before 0.14 can be. The server denies an entity that the token may not view
   * (HTTP 403), and a batch with one is halved until that is known: it is left out, and passed to `onForbidden`.
   */
  read(
    entityType: string,
    wanted: readonly WantedAspects[],
    interrupted?: AbortSignal,
    options?: BatchOptions,
  ): Promise<ReadonlyMap<string, JsonObject> | Unanswered>;
}

/** Why aspects were not answered. */
type Unanswered = "unknown" | "refused" | "busy";

/**
 * A reader by OpenAPI's `batchGet`, which reads the store and not an index. DataHub 0.14 and later have it; beside an
 * aspect stands `auditStamp`, when and by whom the value was written, since pull request #11118 (EntityController.java).
 * `parse` makes of an answer what is handed on.
 */
export function createAspectBatchReader(
  connection: Connection,
  parse?: (text: string) => unknown,
): AspectBatchReader {
  const ask = asker(connection, parse);
  const readEach = async (
    wanted: readonly WantedAspects[],
    interrupted: AbortSignal | undefined,
    onForbidden: BatchOptions["onForbidden"],
  ): ReturnType<AspectBatchReader["read"]> => {
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
  const orRefused = async (
    answer: ReturnType<AspectBatchReader["read"]>,
  ): ReturnType<AspectBatchReader["read"]> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof CatalogError) return isBusy(error) ? "busy" : "refused";
      throw error;
    }
  };
  let hasAnswered = false;
  return {
    read: async (entityType, wanted, interrupted, options = {}) => {
      const { withMetadata = true, orEach = false, onForbidden } = options;
      const path = `/openapi/v3/entity/${entityType}/batchGet?systemMetadata=${withMetadata}`;
      const readTogether: AskPart<WantedAspects, Awaited<ReturnType<AspectBatchReader["read"]>>> = async (
        some,
        isWorthRepeating,
      ) => {
        const body = some.map(({ urn, aspects }) => ({
          ...Object.fromEntries(aspects.map((name) => [name, {}])),
          urn,
        }));
        // Where OpenAPI has never answered, it is not the size: what is there may hang each time.
        const hangs = (error: unknown): boolean =>
          !hasAnswered && error instanceof CatalogError && error.failure === "timeout";
        const asked = await ask(path, body, {
          interrupted,
          isWorthRepeating: (error) => isWorthRepeating(error) && !hangs(error),
        }).catch((error: unknown) => {
          if (hangs(error)) return undefined;
          throw error;
        });
        if (!asked) return "refused";
        const { response, body: answered } = asked;
        if (response.status === 404 || response.status === 405) return "unknown";
        // DataHub's own answer is JSON; that of a gateway says nothing about an entity.
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
          : joined(askInParts(connection.traffic.batchSize, wanted, readTogether)),
      );
      return orEach && typeof answer === "string"
        ? await orRefused(readEach(wanted, interrupted, onForbidden))
        : answer;
    },
  };
}

/** Whether a failure says nothing of OpenAPI: too many requests, or a server or gateway that fails. */
function isBusy({ details: { status = 0 } }: CatalogError): boolean {
  return status === 429 || status >= 500;
}

/** The answers to the parts of a request as one. */
async function joined(
  parts: Promise<readonly (ReadonlyMap<string, JsonObject> | Unanswered)[]>,
): Promise<ReadonlyMap<string, JsonObject> | Unanswered> {
  const all = new Map<string, JsonObject>();
  for (const part of await parts) {
    if (typeof part === "string") return part;
    for (const [urn, aspects] of part) all.set(urn, aspects);
  }
  return all;
}

/** Reads aspects of many entities at once, each with the version that a conditional write is compared with. */
export interface VersionReader {
  /**
   * The aspects that were asked for, those that are absent included. What the server could not be asked for is left out.
   * Throws only the reason of a signal.
   */
  read(wanted: readonly (WantedAspects & { readonly urn: Urn })[], signal?: AbortSignal): Promise<Versions>;
}

/** Aspects by entity and name. */
type Versions = ReadonlyMap<string, ReadonlyMap<string, StoredAspect>>;

const entitiesOfARequest = 100;

/** A reader by OpenAPI's `batchGet`, one request for each type. DataHub before 0.14 does not have it, and is asked only once. */
export function createVersionReader(connection: Connection): VersionReader {
  const aspects = createAspectBatchReader(connection, (text) => parseJson(text, kept));
  let isKnown = true;
  return {
    read: async (wanted, signal) => {
      const versions = new Map<string, ReadonlyMap<string, StoredAspect>>();
      for (const [entityType, some] of groupBy(wanted, ({ urn }) => entityTypeOf(urn))) {
        for (const batch of chunks(some, entitiesOfARequest)) {
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
      }
      return versions;
    },
  };
}

/** The aspects of an entity; `undefined` where one of them is malformed. */
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

/** The entities of an answer. */
interface AnsweredEntities {
  readonly found: ReadonlyMap<string, JsonObject>;
  /** Those that were answered twice with different content. */
  readonly contradictory: ReadonlySet<string>;
}

/** The entities of an answer by URN. What has none is left out. */
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
