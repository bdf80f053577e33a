/** Defines the content that a deletion removes, and the references that it concerns. */

import type { JsonObject } from "./json.ts";
import type { Place } from "./place.ts";
import type { Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A single value that an entity has, or the elements of a set that is not empty. */
export type OwnValue = Place &
  (
    | { readonly value: Member | Scalar; readonly elements?: never }
    | {
        readonly elements: readonly Member[];
        readonly value?: never;
        /** The stored form of the elements that manifests cannot express completely. */
        readonly stored?: readonly JsonObject[];
      }
  );

/** The content that a deletion removes, so that a rollback can recreate the entity. */
export interface DeletedContent {
  readonly aspects?: JsonObject | null;
  /** The values of the entity. */
  readonly values?: readonly OwnValue[];
}

/** The references that a deletion concerns. */
export interface DeletionReferences {
  /** The number of live assignments that a deletion removes, if the catalog could count them. */
  readonly assignments?: number;
  /** The entities with these assignments that the catalog names, sorted; it names none if there are very many. */
  readonly assignedTo?: readonly Urn[];
  /** Sorted hashes of all references to and from the entity, which the fingerprint does not cover. */
  readonly references?: readonly string[];
}
