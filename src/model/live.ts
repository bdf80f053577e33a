/** Represents the result of reading the catalog: live, missing and unreadable entities, and the details that deletions need. */

import { type Change, isFacetChange } from "./change.ts";
import type { JsonObject } from "./json.ts";
import type { UnmanagedValue } from "./plan.ts";
import type { Entity, Scalar, State } from "./state.ts";
import type { Urn, UrnTest } from "./urn.ts";

/** The API for reading assets: GraphQL, or OpenAPI, which returns aspects in their stored form. */
export type ReadMode = "graphql" | "openapi";

/** Several stored values for a facet that allows only one. Only the first value counts. */
export interface SeveralValues {
  readonly urn: Urn;
  readonly facet: string;
  readonly values: readonly Scalar[];
}

/** Counts for the assets that are in sync and were therefore dropped from the result. */
export interface InSync {
  readonly count: number;
  /** The number of declared assets. */
  readonly present: number;
  /** The number of live values in managed facets, keyed by facet. */
  readonly existing: Readonly<Record<string, number>>;
}

/**
 * A reference to an entity, with the type of its relationship in DataHub's graph. The server does not always return the referring
 * entity.
 */
export interface Referring {
  readonly type: string;
  readonly urn: Urn | undefined;
}

/** The current content of an entity to delete, and the references to it. */
export interface Deletable {
  /** The stored aspects of the entity, keyed by name. */
  readonly aspects: JsonObject;
  /**
   * The references to the entity, from the server's index or from entities that were read by URN. If `assignments` is unknown,
   * only the children of the entity are listed.
   */
  readonly referring: readonly Referring[];
  /**
   * The references in `referring` that are still in the index, but that the tool no longer found when it read the entities by
   * URN.
   */
  readonly stale?: readonly Referring[];
  /** The number of live assignments of the entity; `undefined` if there are too many for the index to count. */
  readonly assignments: number | undefined;
}

/** The GraphQL fields that a server has. */
export interface ServerFields {
  /** The known GraphQL fields, as `Type.field`, for types that differ between releases. */
  readonly fields?: ReadonlySet<string>;
}

/** The entities that the tool read by URN, with their values. */
export interface LiveValues {
  readonly state: State;
  readonly several?: readonly SeveralValues[];
  /** The values on soft-deleted assets, and on columns that are no longer in the schema. */
  readonly dormant?: State;
  /** The soft-deleted assets, with their editable values. Such assets are also in `missing`. */
  readonly softDeleted?: State;
}

/** The additional data that is read for deletions. */
export interface DeletionReads {
  /** The ancestors of the requested entities, up to the root. Ancestors that could not be read are in `unreadable`. */
  readonly above?: State;
  /** The entities to delete, with the references to them. */
  readonly deletable?: ReadonlyMap<Urn, Deletable>;
  /** The children of entities to delete, keyed by parent, except those in `state`. */
  readonly below?: ReadonlyMap<Urn, readonly Urn[]>;
}

/**
 * The result of reading the catalog. Each requested URN is in exactly one of `state`, `missing` and `unreadable`, unless it was
 * dropped because it is in sync. An entity whose read failed never counts as missing.
 */
export interface Live extends LiveValues, DeletionReads, ServerFields {
  readonly missing: ReadonlyMap<Urn, "absent" | "soft-deleted">;
  /** The reason for each failed read, as reported by the server. */
  readonly unreadable: ReadonlyMap<Urn, string>;
  readonly unmanaged: readonly UnmanagedValue[];
  /** If only part of the catalog was read, the entities for which the tool read all data that decisions depend on. */
  readonly readUrns?: UrnTest;
  readonly inSync?: InSync;
}

/**
 * Returns the entity that a change affects. It may be a soft-deleted asset if the change removes a reference to a deleted entity.
 */
export function entityOf(change: Change, { state, softDeleted }: Live): Entity | undefined {
  const isReference = isFacetChange(change) && change.isReference === true;
  return state.get(change.urn) ?? (isReference ? softDeleted?.get(change.urn) : undefined);
}

/** Returns the type from a string of the form `Type.field`. */
export function typeOfField(field: string): string {
  return field.slice(0, field.indexOf("."));
}

/** Whether a server certainly lacks a GraphQL field (`Type.field`): other fields of its type are known, but not this one. */
export function lacksField({ fields = new Set() }: ServerFields, field: string): boolean {
  if (fields.size === 0 || fields.has(field)) return false;
  const type = typeOfField(field);
  return [...fields].some((each) => typeOfField(each) === type);
}
