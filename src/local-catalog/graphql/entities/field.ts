import type { JsonObject } from "../../../model/json.ts";
import type { AspectReader } from "../../store/aspect-reader.ts";

/** Arguments of a GraphQL field. */
export type FieldArguments = Readonly<Record<string, unknown>>;

/** A field of an entity: the aspects it is made of, so that lists can load them ahead, and how it is read. */
export interface EntityField {
  readonly aspects: (args: FieldArguments) => readonly string[];
  readonly read: (urn: string, reader: AspectReader, args: FieldArguments) => unknown;
}

/** A field that is made of one aspect, null where the entity has none. */
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

/** A field that is made of the URN alone. */
export function plainField(read: (urn: string) => unknown): EntityField {
  return { aspects: () => [], read };
}

/** Whether the entity is stored, soft-deleted or not (EntityService.exists with includeSoftDelete). */
export function existsField(keyAspect: string): EntityField {
  const aspects = [keyAspect];
  return { aspects: () => aspects, read: (urn, reader) => reader.aspect(urn, keyAspect) !== undefined };
}
