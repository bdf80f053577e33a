/** Reads the stored aspects of entities through OpenAPI instead of GraphQL. */

import type { Reader } from "../../datahub/client.ts";
import { kindOfType } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { groupBy } from "../../model/group-by.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { notViewable } from "../../model/restricted.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import type { Question, StoredQuestion } from "./question.ts";
import type { Reading } from "./readings.ts";

/**
 * Maximum number of consecutive rejected batches before OpenAPI is no longer used. Each rejection costs an additional request or
 * a timeout.
 */
const maxRefusals = 2;

/** Number of consecutive rejections for each client. */
const refusals = new WeakMap<Reader["stored"], number>();

const notAnswering =
  "reads: openapi: the server does not handle OpenAPI batchGet requests as DataHub does, so the remaining entities are read with GraphQL";

/** Whether to try OpenAPI first for a query. */
export function isReadAsStored({ reads, stored: reading }: Reader, { stored }: Question): boolean {
  const isWanted = stored !== undefined && (reads === "openapi" || stored.isMoreThanAnswered === true);
  return isWanted && (refusals.get(reading) ?? 0) < maxRefusals;
}

/**
 * Reads entities through OpenAPI. Leaves out entities that must be read with GraphQL. These are entities that the response does
 * not contain, entities with a malformed aspect, and entities without any stored aspect, because only GraphQL shows that an
 * entity does not exist. However, entities without stored aspects are included if the query is marked as complete. Throws only if
 * the signal is aborted.
 */
export async function storedReadings(
  { reads, stored, onNote }: Reader,
  { urns, stored: question }: Question,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Urn, Reading>> {
  const readings = new Map<Urn, Reading>();
  const isByOpenApi = reads === "openapi";
  for (const [entityType, some] of groupBy(urns, entityTypeOf)) {
    const kind = kindOfType(entityType);
    if (!question) continue;
    // With `reads: graphql`, entities without stored aspects are read with GraphQL, because they may be hidden or missing from
    // the snapshot.
    const effectiveQuestion = isByOpenApi ? question : { ...question, isComplete: undefined };
    const aspects = [...new Set(question.aspectsOf(kind))];
    const wanted = some.map((urn) => ({ urn, aspects }));
    let isDenied = false;
    const onForbidden = (urn: Urn): void => {
      // With `reads: graphql`, permission to use OpenAPI is optional, so its absence is not an error.
      if (!isByOpenApi) isDenied = true;
      else readings.set(urn, { entity: undefined, alias: undefined, error: notViewable });
    };
    const answer = await stored.read(entityType, wanted, signal, { withMetadata: false, onForbidden });
    // If the server is too busy for OpenAPI, it is also too busy for GraphQL.
    if (answer === "busy") continue;
    const refused = typeof answer === "string" || isDenied ? (refusals.get(stored) ?? 0) + 1 : 0;
    refusals.set(stored, refused);
    if (refused === maxRefusals && isByOpenApi) onNote?.(notAnswering);
    if (typeof answer === "string") continue;
    for (const urn of some) {
      if (readings.has(urn)) continue;
      const entity = entityOf(effectiveQuestion, { urn, kind, aspects }, answer.get(urn));
      if (entity) readings.set(urn, { entity, alias: undefined, error: undefined });
    }
  }
  return readings;
}

/** Returns an entity with its aspects, keyed by name. Returns `undefined` if the aspects are unknown. */
function entityOf(
  { isComplete }: StoredQuestion,
  {
    urn,
    kind,
    aspects,
  }: { readonly urn: Urn; readonly kind: Kind | undefined; readonly aspects: readonly string[] },
  envelopes: JsonObject = {},
): JsonObject | undefined {
  const values = storedValues(envelopes);
  const isThere = (name: string): boolean => values[name] !== undefined;
  if (isComplete !== true && !aspects.some(isThere)) return undefined;
  if (aspects.some((name) => (envelopes[name] ?? null) !== null && !isThere(name))) return undefined;
  return {
    urn,
    __typename: kind?.typename ?? null,
    exists: true,
    status: values["status"] ?? null,
    aspects: values,
  };
}

/** Returns the values in aspect envelopes, keyed by aspect name. */
export function storedValues(envelopes: JsonObject = {}): JsonObject {
  return Object.fromEntries(
    Object.entries(envelopes).flatMap(([name, envelope]) =>
      isJsonObject(envelope) && isJsonObject(envelope["value"]) ? [[name, envelope["value"]]] : [],
    ),
  );
}
