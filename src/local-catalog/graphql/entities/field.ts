/** Defines a GraphQL field of an entity by the aspects that it is read from, and creates the common kinds of fields. */

import type { JsonObject } from "../../../model/json.ts";
import type { AspectReader } from "../../store/aspect-reader.ts";
import type { AspectStore } from "../../store/aspect-store.ts";

/** Arguments of a GraphQL field. */
export type FieldArguments = Readonly<Record<string, unknown>>;

/** Properties of a request that fields read in addition to aspects: the restricted entities, and the times of writes. */
interface Viewer {
  readonly store: { latest: AspectStore["latest"] };
  readonly restricted: ReadonlySet<string>;
  /** Whether the stored aspects of restricted entities are hidden, too. */
  readonly hidesAspects: boolean;
}

/** A field of an entity: the aspects that it is read from, for prefetching, and its reader. */
export interface EntityField {
  readonly aspects: (args: FieldArguments) => readonly string[];
  /** Whether the field is read from the index, which may lag. */
  readonly isIndexed?: boolean;
  readonly read: (urn: string, reader: AspectReader, args: FieldArguments, viewer: Viewer) => unknown;
}

/** Fields by their names. */
export type EntityFields = Readonly<Record<string, EntityField>>;

/** A field that is read from one aspect; null if the entity does not have the aspect. */
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

/** A field that is read from the URN alone. */
export function plainField(read: (urn: string) => unknown): EntityField {
  return { aspects: () => [], read };
}

/** Whether the entity exists, soft-deleted or not (EntityService.exists with includeSoftDelete). */
export function existsField(keyAspect: string): EntityField {
  const aspects = [keyAspect];
  return { aspects: () => aspects, read: (urn, reader) => reader.aspect(urn, keyAspect) !== undefined };
}
