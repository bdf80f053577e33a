import type { Reader } from "../../datahub/client.ts";
import { kindOfType } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { groupBy } from "../../model/group-by.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import type { Question, Reading } from "./read-batches.ts";

/** How entities are known from what is stored of them, in place of what a document selects. */
export interface StoredQuestion {
  /** The aspects that are asked for. Entities of columns are of no kind. */
  aspectsOf(kind: Kind | undefined): readonly string[];
  /** What the document would answer of an entity, made of its aspects by name, beside `exists`, `status` and `aspects`. */
  answerOf?(aspects: JsonObject, kind: Kind | undefined): JsonObject;
  /** Whether an entity of which nothing is answered has nothing: then it need not exist. */
  readonly isComplete?: true;
}

/** Whether a question is first asked of OpenAPI. */
export function isReadAsStored({ reads }: Reader, { stored }: Question): boolean {
  return reads === "openapi" && stored !== undefined;
}

/**
 * What OpenAPI answers to a question. What it does not answer is left out, and so are entities of which nothing is stored that was
 * asked for, unless that is complete: only GraphQL says that one does not exist. Throws only the reason of the signal.
 */
export async function storedReadings(
  { stored }: Reader,
  { urns, stored: question }: Question,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Urn, Reading>> {
  const readings = new Map<Urn, Reading>();
  for (const [entityType, some] of groupBy(urns, entityTypeOf)) {
    const kind = kindOfType(entityType);
    if (!question) continue;
    const aspects = [...new Set(question.aspectsOf(kind))];
    const wanted = some.map((urn) => ({ urn, aspects }));
    const answer = await stored.read(entityType, wanted, signal, { withMetadata: false });
    if (typeof answer === "string") continue;
    for (const urn of some) {
      const values = storedValues(answer.get(urn));
      if (question.isComplete !== true && !aspects.some((name) => values[name] !== undefined)) continue;
      const entity: JsonObject = {
        urn,
        __typename: kind?.typename ?? null,
        exists: true,
        status: values["status"] ?? null,
        aspects: values,
        ...question.answerOf?.(values, kind),
      };
      readings.set(urn, { entity, alias: undefined, error: undefined });
    }
  }
  return readings;
}

/** The values of aspects in their envelopes, by name. */
export function storedValues(envelopes: JsonObject = {}): JsonObject {
  return Object.fromEntries(
    Object.entries(envelopes).flatMap(([name, envelope]) =>
      isJsonObject(envelope) && isJsonObject(envelope["value"]) ? [[name, envelope["value"]]] : [],
    ),
  );
}
