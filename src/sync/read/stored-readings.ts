/** Reads entities from their stored aspects over OpenAPI instead of GraphQL. */

import type { Reader } from "../../datahub/client.ts";
import { kindOfType } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { groupBy } from "../../model/group-by.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { notViewable } from "../../model/restricted.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import type { Question, StoredQuestion } from "./question.ts";
import type { Reading } from "./readings.ts";

/**
 * The maximum number of consecutive refused batches before OpenAPI is no longer used. Each refusal costs an additional request, or
 * a timeout.
 */
const maxRefusals = 2;

/** The number of consecutive refusals, for each client. */
const refusals = new WeakMap<Reader["stored"], number>();

const notAnswering =
  "reads: openapi: the server does not answer OpenAPI batchGet requests like DataHub, so the rest is read with GraphQL";

/** Whether to ask a question over OpenAPI first. */
export function isReadAsStored({ reads, stored: reading }: Reader, { stored }: Question): boolean {
  const isWanted = stored !== undefined && (reads === "openapi" || stored.isMoreThanAnswered === true);
  return isWanted && (refusals.get(reading) ?? 0) < maxRefusals;
}

/**
 * Asks over OpenAPI. Leaves out entities to read by GraphQL: unanswered ones, those with a malformed aspect, and those without any
 * stored aspect unless that is a complete answer, because only GraphQL shows that an entity does not exist. Throws only the reason
 * of the signal.
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
    // With `reads: graphql`, GraphQL decides about entities without stored aspects: they may be hidden, or not in the snapshot.
    const effectiveQuestion = isByOpenApi ? question : { ...question, isComplete: undefined };
    const aspects = [...new Set(question.aspectsOf(kind))];
    const wanted = some.map((urn) => ({ urn, aspects }));
    let isDenied = false;
    const onForbidden = (urn: string): void => {
      // Users who read by GraphQL need no permission for OpenAPI.
      if (!isByOpenApi) isDenied = true;
      else if (isUrn(urn)) readings.set(urn, { entity: undefined, alias: undefined, error: notViewable });
    };
    const answer = await stored.read(entityType, wanted, signal, { withMetadata: false, onForbidden });
    // A server that is busy for OpenAPI is also busy for GraphQL.
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

/** Returns an entity with its aspects by name; `undefined` if they are unknown. */
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

/** Returns the values of aspects in envelopes, by name. */
export function storedValues(envelopes: JsonObject = {}): JsonObject {
  return Object.fromEntries(
    Object.entries(envelopes).flatMap(([name, envelope]) =>
      isJsonObject(envelope) && isJsonObject(envelope["value"]) ? [[name, envelope["value"]]] : [],
    ),
  );
}
