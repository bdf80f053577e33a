import { type Change, isFacetChange } from "./change.ts";
import type { JsonObject } from "./json.ts";
import type { UnmanagedValue } from "./plan.ts";
import type { Entity, Scalar, State } from "./state.ts";
import type { Urn } from "./urn.ts";

/** How assets are read: by GraphQL, or by OpenAPI, as their aspects are stored. */
export type Reads = "graphql" | "openapi";

/** The values of a facet of which the catalog stores several, though only the first counts. */
export interface SeveralValues {
  readonly urn: Urn;
  readonly facet: string;
  readonly values: readonly Scalar[];
}

/** What is known of assets that are in sync and were dropped. */
export interface InSync {
  readonly count: number;
  /** How many of them are declared. */
  readonly present: number;
  /** By facet, how many live values they have where it is managed. */
  readonly existing: Readonly<Record<string, number>>;
}

/** A reference to an entity, by its relationship in DataHub's graph. The server does not name every entity that has one. */
export interface Referring {
  readonly type: string;
  readonly urn: Urn | undefined;
}

/** An entity that is to be deleted, as it is in the catalog. */
export interface Deletable {
  /** Its own aspects by name, as they are stored. */
  readonly aspects: JsonObject;
  /**
   * What refers to it, as far as the server's index shows it, or what was read by URN has it; where `assignments` is not known,
   * only what is below it.
   */
  readonly referring: readonly Referring[];
  /** Those of `referring` that the index shows, and that what was read by URN no longer has. */
  readonly stale?: readonly Referring[];
  /** How many live assignments point at it; `undefined` where there are more than the index counts. */
  readonly assignments: number | undefined;
}

/**
 * What a reading of the catalog found. Each URN that was asked for is in exactly one of `state`, `missing`,
 * `unreadable`, or in sync and dropped: a failed read is never an absence.
 */
export interface Live {
  readonly state: State;
  readonly missing: ReadonlyMap<Urn, "absent" | "soft-deleted">;
  /** Why an entity could not be read, in the server's words. */
  readonly unreadable: ReadonlyMap<Urn, string>;
  readonly unmanaged: readonly UnmanagedValue[];
  /** Where only a part was read: the entities that were read with all that decides about them. */
  readonly readUrns?: Pick<ReadonlySet<Urn>, "has">;
  readonly several?: readonly SeveralValues[];
  /** The values of soft-deleted assets, and of columns that left the schema. */
  readonly dormant?: State;
  /** The soft-deleted assets among `missing`, with the values that can be edited. */
  readonly softDeleted?: State;
  /** What is above the entities that were asked for, up to the root. What of it could not be read is `unreadable`. */
  readonly above?: State;
  /** The fields of GraphQL, as `Type.field`, of the types by which newer servers differ, as far as the server names them. */
  readonly fields?: ReadonlySet<string>;
  readonly inSync?: InSync;
  /** What is there of the entities that are to be deleted, and refers to them. */
  readonly deletable?: ReadonlyMap<Urn, Deletable>;
  /** What is below entities that are to be deleted, beside what is in `state`: by the entity above. */
  readonly below?: ReadonlyMap<Urn, readonly Urn[]>;
}

/** The entity of a change, which may be a soft-deleted asset where the change removes a reference to what is deleted. */
export function entityOf(
  change: Change,
  { state, softDeleted }: Pick<Live, "state" | "softDeleted">,
): Entity | undefined {
  const isReference = isFacetChange(change) && change.isReference === true;
  return state.get(change.urn) ?? (isReference ? softDeleted?.get(change.urn) : undefined);
}

/** The type of a field of GraphQL, written as `Type.field`. */
export function typeOfField(field: string): string {
  return field.slice(0, field.indexOf("."));
}

/** Whether the server is known not to have a field of GraphQL, written as `Type.field`: it names others of the type. */
export function lacks({ fields = new Set() }: Pick<Live, "fields">, field: string): boolean {
  if (fields.size === 0 || fields.has(field)) return false;
  const type = typeOfField(field);
  return [...fields].some((each) => typeOfField(each) === type);
}
