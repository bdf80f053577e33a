import { type JsonObject, textOf } from "../model/json.ts";
import type { KindName } from "../model/state.ts";
import { encodePart, entityTypeOf, parseUrn, type UrnResult } from "../model/urn.ts";

/** How an entity is deleted for good, and what falls with it. */
interface Deletion {
  /** The GraphQL mutation, `(urn: String!)`. The server takes references to the entity away a little later. */
  readonly mutation: string;
  /** The relationships of DataHub's graph by which assignments point at it (`@Relationship` in its models). */
  readonly relationships: readonly string[];
}

/** What a manifest may declare and how it is found in the catalog, as data. */
export interface Kind {
  readonly name: KindName;
  readonly plural: string;
  /** The entity type as URNs of this kind spell it. */
  readonly entityType: string;
  /** The name of its type in DataHub's GraphQL schema. */
  readonly typename: string;
  /** Observed entities are enriched, never created or deleted; owned ones are created and updated. */
  readonly lifecycle: "observed" | "owned";
  /** Only owned ones have it. */
  readonly deletion?: Deletion;
  /** JSON Schema of the fields that are not facets: those that identify it among them. */
  readonly fields: JsonObject;
  /** JSON Schema keywords about the document as a whole: what is required. */
  readonly constraints: JsonObject;
  /** The URN of a document that fits the schema; `field` of a fault is the manifest key it lies in. */
  urnOf(document: JsonObject): UrnResult;
  /** What the aspects of a new entity hold before its declared fields are set; by aspect, for the key of its URN. */
  initial(key: string): Readonly<Record<string, JsonObject>>;
  /** The field in which the identity stands, for positions. */
  readonly identityFields: readonly string[];
}

/** A text that must stand there and hold something. */
export const textSchema: JsonObject = { type: "string", minLength: 1 };

/** The URN of an id of one entity type; a full URN of that type is taken as it is. */
export function urnOfId(entityType: string, id: string): UrnResult {
  if (!id.startsWith("urn:li:")) return parseUrn(`urn:li:${entityType}:${encodePart(id)}`);
  const result = parseUrn(id);
  if ("urn" in result && entityTypeOf(result.urn) !== entityType) {
    return { fault: { reason: "entity-type", detail: entityType } };
  }
  return result;
}

/** The parts of a kind whose entities are identified by `id`. */
export function identifiedById(entityType: string): Pick<Kind, "constraints" | "urnOf" | "identityFields"> {
  return {
    constraints: { required: ["id"] },
    urnOf: (document) => urnOfId(entityType, textOf(document["id"])),
    identityFields: ["id"],
  };
}

/** The JSON Schema of `id`. */
export function idSchema(what: string): JsonObject {
  return { ...textSchema, description: `The id of the ${what}, or its full URN.` };
}
