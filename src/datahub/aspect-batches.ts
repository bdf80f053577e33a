import { CatalogError } from "../model/catalog-error.ts";
import type { JsonObject } from "../model/json.ts";
import { byUrn } from "./answered-entities.ts";
import { asker } from "./aspect-client.ts";
import type { Connection } from "./connection.ts";

/** An entity and the aspects that are asked for of it. */
export interface WantedAspects {
  readonly urn: string;
  readonly aspects: readonly string[];
}

/** Reads aspects of many entities of one type at once. It knows one request, which writes nothing. */
export interface AspectBatchReader {
  /**
   * The aspects of each entity by name, with what stands around their `value`; entities without any are left out.
   * `unknown` where the server does not know the request, `refused` where it does not carry it out, or contradicts
   * itself. Throws only the reason of `interrupted`, without waiting for the answer.
   */
  read(
    entityType: string,
    wanted: readonly WantedAspects[],
    interrupted?: AbortSignal,
  ): Promise<ReadonlyMap<string, JsonObject> | "unknown" | "refused">;
}

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
  return {
    read: async (entityType, wanted, interrupted) => {
      const path = `/openapi/v3/entity/${entityType}/batchGet?systemMetadata=true`;
      const body = wanted.map(({ urn, aspects }) => ({
        ...Object.fromEntries(aspects.map((name) => [name, {}])),
        urn,
      }));
      try {
        const { response, body: answered } = await ask(path, body, { interrupted });
        if (response.status === 404 || response.status === 405) return "unknown";
        if (!response.ok || !Array.isArray(answered)) return "refused";
        const { found, twofold } = byUrn(answered);
        return twofold.size === 0 ? found : "refused";
      } catch (error) {
        if (error instanceof CatalogError) return "refused";
        throw error;
      }
    },
  };
}
