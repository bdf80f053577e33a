/** Matches the entities and errors in a response to the requested URNs, and determines whether each entity could be read. */

import type { Kind } from "../../kinds/kind.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { notViewable } from "../../model/restricted.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { byUrn } from "../../datahub/aspect-batches.ts";
import { type Answer, retryableCodes } from "../../datahub/client.ts";

/** An error about one entity. */
interface Blame {
  readonly error: string | undefined;
  /** Whether the error is temporary. */
  readonly isPassing?: true;
}

/** The result for one entity. If `error` is set, ignore the other fields, which may be incomplete. */
export interface Reading extends Blame {
  readonly entity: JsonObject | undefined;
  /** The value at the entity's alias `e…`, if the document has one. */
  readonly alias: unknown;
}

/** Returns the results in the response to a request with these variables, or `undefined` if the request failed completely. */
export function readingsIn(
  answer: Answer,
  urns: readonly Urn[],
  variables: JsonObject,
): ReadonlyMap<Urn, Reading> | undefined {
  const blame = blameByIndex(answer, urns, variables);
  const entities = answer.data?.["entities"];
  if (!blame || !Array.isArray(entities)) return undefined;
  const { found, contradictory } = byUrn(entities);
  return new Map(
    urns.map((urn, index) => [
      urn,
      {
        entity: found.get(urn),
        alias: answer.data?.[`e${index}`],
        error: contradictory.has(urn) ? "the server returned it twice, with different values" : undefined,
        ...blame.get(index),
      },
    ]),
  );
}

/** Marks entities as unreadable, with the first error in a response. */
export function unreadable({ errors: [first] }: Answer, urns: readonly Urn[]): ReadonlyMap<Urn, Reading> {
  const reading = { entity: undefined, alias: undefined, ...blameOf(first) };
  return new Map(urns.map((urn) => [urn, reading]));
}

function blameOf(error: Answer["errors"][number] | undefined): Blame {
  const isPassing = error?.code !== undefined && retryableCodes.has(error.code);
  return { error: error?.message ?? "the server did not return it", ...(isPassing && { isPassing }) };
}

/** Returns errors, keyed by the index of their entity. Returns `undefined` if an error belongs to none of these entities. */
function blameByIndex(
  { errors, data }: Answer,
  urns: readonly Urn[],
  { urns: places }: JsonObject,
): ReadonlyMap<number, Blame> | undefined {
  const blame = new Map<number, Blame>();
  for (const error of errors) {
    const index = indexIn(error, data, { urns, places });
    if (index === undefined || urns[index] === undefined) return undefined;
    blame.set(index, blameOf(error));
  }
  return blame;
}

// `entities` may contain only some of the requested URNs, and the response may have a different order.
function indexIn(
  { path }: Answer["errors"][number],
  data: Answer["data"],
  { urns, places }: { readonly urns: readonly Urn[]; readonly places: Json | undefined },
): number | undefined {
  const [field, place] = path ?? [];
  const alias = /^e(\d+)$/.exec(String(field))?.[1];
  if (alias !== undefined) return Number(alias);
  if (field !== "entities" || typeof place !== "number") return undefined;
  const entities = data?.["entities"];
  const entity: unknown = Array.isArray(entities) ? entities[place] : undefined;
  const answered = isJsonObject(entity) ? entity["urn"] : undefined;
  const placed = isJsonList(places) ? places[place] : undefined;
  const urn = isUrn(answered) && urns.includes(answered) ? answered : placed;
  return isUrn(urn) ? urns.indexOf(urn) : undefined;
}

/** An entity from a response, or the reason why it is unknown. */
type AnsweredEntity =
  | { readonly entity: JsonObject; readonly fault?: undefined }
  | { readonly entity?: undefined; readonly fault: string };

/**
 * Returns an entity that was read, or the reason why it could not be read. `exists` is the value with which the server reports
 * whether the entity exists.
 */
export function answeredEntity(
  { entity, error }: Reading,
  { kind, exists }: { readonly kind: Kind; readonly exists: unknown },
): AnsweredEntity {
  if (error !== undefined) return { fault: error };
  if (!entity) return { fault: "the server's response does not contain this entity" };
  if (entity["__typename"] === "Restricted") return { fault: notViewable };
  if (typeof exists !== "boolean") return { fault: "the server's response does not show whether it exists" };
  if (entity["__typename"] !== kind.typename)
    return { fault: "the server returned an entity of a different type" };
  return { entity };
}
