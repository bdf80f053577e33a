/** Represents the result of reading the catalog: live, missing and unreadable entities, and details that deletions need. */

import { type Change, isFacetChange } from "./change.ts";
import type { JsonObject } from "./json.ts";
import type { UnmanagedValue } from "./plan.ts";
import type { Entity, Scalar, State } from "./state.ts";
import type { Urn, UrnTest } from "./urn.ts";

/** How to read assets: with GraphQL, or with OpenAPI, which returns stored aspects. */
export type ReadMode = "graphql" | "openapi";

/** Several stored values in a facet where only the first one counts. */
export interface SeveralValues {
  readonly urn: Urn;
  readonly facet: string;
  readonly values: readonly Scalar[];
}

/** Counts of assets that are in sync and were dropped. */
export interface InSync {
  readonly count: number;
  /** The number of declared assets. */
  readonly present: number;
  /** The number of live values in managed facets, by facet. */
  readonly existing: Readonly<Record<string, number>>;
}

/** A reference to an entity, by its relationship in DataHub's graph. The server does not always name the referring entity. */
export interface Referring {
  readonly type: string;
  readonly urn: Urn | undefined;
}

/** An entity to delete, as it is in the catalog. */
export interface Deletable {
  /** The entity's stored aspects, by name. */
  readonly aspects: JsonObject;
  /**
   * The references to the entity, from the server's index or from entities that were read by URN; if
   * `assignments` is unknown, only its children.
   */
  readonly referring: readonly Referring[];
  /** The references in `referring` that the index shows, but that a read by URN no longer found. */
  readonly stale?: readonly Referring[];
  /** The number of live assignments of the entity; `undefined` if there are more than the index counts. */
  readonly assignments: number | undefined;
}

/** A server's features. */
export interface ServerFields {
  /** The GraphQL fields, as `Type.field`, on types that differ between releases, as far as the server names them. */
  readonly fields?: ReadonlySet<string>;
}

/** The entities that were read by URN, with their values. */
export interface LiveValues {
  readonly state: State;
  readonly several?: readonly SeveralValues[];
  /** The values on soft-deleted assets, and on columns that left the schema. */
  readonly dormant?: State;
  /** The soft-deleted assets among the missing ones, with the values that can be edited. */
  readonly softDeleted?: State;
}

/** The additional reads for entities to delete. */
export interface DeletionReads {
  /** The entities above the requested ones, up to the root. Unreadable ones are in `unreadable`. */
  readonly above?: State;
  /** The entities to delete, with the references to them. */
  readonly deletable?: ReadonlyMap<Urn, Deletable>;
  /** By parent, the children of entities to delete, if they are not in `state`. */
  readonly below?: ReadonlyMap<Urn, readonly Urn[]>;
}

/**
 * The result of reading the catalog. Each requested URN is in exactly one of `state`, `missing` and
 * `unreadable`, or it is in sync and dropped: a failed read never counts as missing.
 */
export interface Live extends LiveValues, DeletionReads, ServerFields {
  readonly missing: ReadonlyMap<Urn, "absent" | "soft-deleted">;
  /** The reason for each failed read, in the server's words. */
  readonly unreadable: ReadonlyMap<Urn, string>;
  readonly unmanaged: readonly UnmanagedValue[];
  /** If only some entities were read: the entities that were read with everything that decides about them. */
  readonly readUrns?: UrnTest;
  readonly inSync?: InSync;
}

/** Returns a change's entity. It may be a soft-deleted asset if the change removes a reference to a deleted entity. */
export function entityOf(change: Change, { state, softDeleted }: Live): Entity | undefined {
  const isReference = isFacetChange(change) && change.isReference === true;
  return state.get(change.urn) ?? (isReference ? softDeleted?.get(change.urn) : undefined);
}

/** Returns a GraphQL field's type, from `Type.field`. */
export function typeOfField(field: string): string {
  return field.slice(0, field.indexOf("."));
}

/** Whether the server is known to lack a GraphQL field, written as `Type.field`, because it names other fields on the type. */
export function lacksField({ fields = new Set() }: ServerFields, field: string): boolean {
  if (fields.size === 0 || fields.has(field)) return false;
  const type = typeOfField(field);
  return [...fields].some((each) => typeOfField(each) === type);
}
