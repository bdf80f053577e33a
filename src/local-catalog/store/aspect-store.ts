/** Defines the interface of the aspect store. */

import type { JsonObject } from "../../model/json.ts";

/** Metadata that DataHub stores with an aspect. `version` is the number of writes to the aspect, as a string. */
interface SystemMetadata extends JsonObject {
  readonly version: string;
}

/** The user, time and ingestion run of a write. The store adds the version. */
export interface AuditTrail {
  readonly actor: string;
  readonly time: number;
  readonly systemMetadata: JsonObject;
}

/** An aspect's latest value and its metadata. */
export interface StoredAspect {
  readonly value: JsonObject;
  readonly systemMetadata: SystemMetadata;
  readonly created: { readonly time: number; readonly actor: string };
}

/** An unfinished removal of the references to a deleted entity. */
interface Removal {
  readonly urn: string;
  readonly since: number;
  /** The number of removal steps that are done. */
  readonly done: number;
  /** The entities that referred to the deleted entity at the time of the deletion, according to the index. */
  readonly referrers: readonly string[];
}

/** Called with an aspect's latest value. */
export type VisitAspect = (urn: string, aspect: string, value: JsonObject) => void;

/** Read operations that find entities and references to them, and list their aspects. */
export interface EntityReads {
  /** Calls `visit` with each latest aspect value that contains the URN as a string or key, sorted by entity URN. */
  eachContaining(urn: string, visit: VisitAspect): void;
  /**
   * Returns all URNs that start with `prefix` and have the given aspect, in sorted order. `prefix` must end in an ASCII
   * character.
   */
  urnsUnder(prefix: string, aspect: string): readonly string[];
  /** Returns the names of an entity's aspects, in sorted order. */
  aspectNames(urn: string): readonly string[];
}

/** Read operations that searches need. */
export interface AspectReads extends EntityReads {
  /** Returns an aspect's value at a version. Version 0 is the latest. */
  valueAt(urn: string, aspect: string, version: number): JsonObject | undefined;
  /** Calls `visit` with the latest values of the given aspects for the given URNs. Uses one query. */
  eachLatest(urns: readonly string[], aspects: readonly string[], visit: VisitAspect): void;
  /**
   * Calls `visit` with an aspect's latest value for each URN that starts with `prefix`. `prefix` must end in an ASCII character.
   */
  eachLatestUnder(prefix: string, aspect: string, visit: VisitAspect): void;
}

/** Stores aspects durably, keyed by URN, aspect name and version. A write is committed when the call returns. */
export interface AspectStore extends AspectReads {
  /** A random id that identifies the data directory. */
  readonly id: string;
  latest(urn: string, aspect: string): StoredAspect | undefined;
  /** Returns the latest stored value, including property values that other reads hide. Patches apply to this value. */
  storedValue(urn: string, aspect: string): JsonObject | undefined;
  has(urn: string, aspect: string): boolean;
  /** Returns an entity's latest aspects, keyed and sorted by name. */
  latestOf(urn: string): ReadonlyMap<string, StoredAspect>;
  /**
   * Stores a new latest value, and moves the previous value to the history. If the value has not changed, stores nothing and
   * returns false, because DataHub does not create a new version in that case (EntityServiceImpl, isNoOp).
   */
  put(urn: string, aspect: string, value: JsonObject, audit: AuditTrail): boolean;
  /** Deletes an aspect and its history. Returns false if the aspect does not exist. */
  deleteAspect(urn: string, aspect: string): boolean;
  /** Deletes all of an entity's aspects and their history. Returns the number of aspects that the entity had. */
  deleteEntity(urn: string): number;
  /** Returns the definitions of deleted structured properties. */
  deletedDefinitions(): readonly JsonObject[];
  /** Returns the unfinished reference removals. */
  removals(): readonly Removal[];
  /** Stores a removal, or updates its progress. */
  keepRemoval(removal: Removal): void;
  /** Deletes a finished removal. */
  endRemoval(urn: string): void;
  /** Commits all writes that `work` makes, or none if `work` throws an error. */
  transaction<T>(work: () => T): T;
  /** Moves the write-ahead log into the database file, and closes the database. */
  close(): void;
}
