import { CatalogError } from "../model/catalog-error.ts";
import { chunks, groupBy } from "../model/group-by.ts";
import type { JsonObject } from "../model/json.ts";
import { entityTypeOf, type Urn } from "../model/urn.ts";
import { createAspectBatchReader, type WantedAspects } from "./aspect-batches.ts";
import { type StoredAspect, storedIn } from "./aspect-client.ts";
import type { Connection } from "./connection.ts";
import { kept, parseJson } from "./json-text.ts";

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
          const answer = await aspects.read(entityType, batch, signal);
          if (answer === "unknown") isKnown = false;
          if (typeof answer === "string") continue;
          for (const { urn, aspects: names } of batch) {
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
