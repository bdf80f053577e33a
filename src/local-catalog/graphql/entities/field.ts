/** Defines how GraphQL fields are read from an entity's aspects, and creates common kinds of fields. */

import type { JsonObject } from "../../../model/json.ts";
import type { AspectReader } from "../../store/aspect-reader.ts";
import type { RequestContext } from "../request-context.ts";

/** The arguments that a request passes to a GraphQL field. */
export type FieldArguments = Readonly<Record<string, unknown>>;

/** A GraphQL field of an entity: the function that reads it, and the aspects to prefetch. */
export interface EntityField {
  readonly aspects: (args: FieldArguments) => readonly string[];
  /** Whether the field reads the index, which may lag behind the store. */
  readonly isIndexed?: boolean;
  readonly read: (
    urn: string,
    reader: AspectReader,
    args: FieldArguments,
    context: RequestContext,
  ) => unknown;
}

/** GraphQL fields, keyed by name. */
export type EntityFields = Readonly<Record<string, EntityField>>;

/** Creates a field that reads one aspect. The field is null if the entity lacks the aspect. */
export function aspectField(aspect: string, read: (value: JsonObject, urn: string) => unknown): EntityField {
  const aspects = [aspect];
  return {
    aspects: () => aspects,
    read(urn, reader) {
      const value = reader.aspect(urn, aspect);
      return value ? read(value, urn) : null;
    },
  };
}

/** Creates a field whose value depends only on the URN. */
export function plainField(read: (urn: string) => unknown): EntityField {
  return { aspects: () => [], read };
}

/**
 * Creates a field that is true if the entity exists, even if it is soft-deleted (EntityService.exists with includeSoftDelete).
 */
export function existsField(keyAspect: string): EntityField {
  const aspects = [keyAspect];
  return { aspects: () => aspects, read: (urn, reader) => reader.aspect(urn, keyAspect) !== undefined };
}
