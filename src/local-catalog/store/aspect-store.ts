/** Defines the interface to the store of aspects. */

import type { JsonObject } from "../../model/json.ts";

/** Metadata that DataHub stores with an aspect. `version` counts the aspect's writes, as a string. */
interface SystemMetadata extends JsonObject {
  readonly version: string;
}

/** The author, time and run that wrote an aspect. The store adds the version. */
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

/** A deleted entity. The catalog is still removing the references to it. */
interface Removal {
  readonly urn: string;
  readonly since: number;
  /** How many steps of the removal are done. */
  readonly done: number;
  /** The entities that referred to this entity at its deletion, according to the index. */
  readonly referrers: readonly string[];
}

/** Receives an aspect's latest value. */
export type VisitAspect = (urn: string, aspect: string, value: JsonObject) => void;

/** Reads that find the references to an entity. */
export interface ReferenceReads {
  /** Visits the latest values that contain this URN as a value or key, sorted by the URNs of their entities. */
  eachContaining(urn: string, visit: VisitAspect): void;
}

/** Reads that find entities and their aspects' names. */
export interface EntityReads extends ReferenceReads {
  /** Returns all URNs that start with `prefix` and have an aspect, sorted. `prefix` must end in an ASCII character. */
  urnsUnder(prefix: string, aspect: string): readonly string[];
  /** Returns the names of an entity's aspects, sorted. */
  aspectNames(urn: string): readonly string[];
}

/** Reads that searches need. */
export interface AspectReads extends EntityReads {
  /** Returns an aspect's value at a version; 0 is the latest. */
  valueAt(urn: string, aspect: string, version: number): JsonObject | undefined;
  /** Visits the latest values that these URNs have for these aspects, in one query. */
  eachLatest(urns: readonly string[], aspects: readonly string[], visit: VisitAspect): void;
  /** Visits an aspect's latest value for each URN that starts with `prefix`, which must end in an ASCII character. */
  eachLatestUnder(prefix: string, aspect: string, visit: VisitAspect): void;
}

/** Stores aspects durably by URN, aspect name and version. A write is committed when its call returns. */
export interface AspectStore extends AspectReads {
  /** A random id that identifies the data directory. */
  readonly id: string;
  latest(urn: string, aspect: string): StoredAspect | undefined;
  /** Returns the latest stored value, including values that reads leave out. Patches apply to this value. */
  storedValue(urn: string, aspect: string): JsonObject | undefined;
  has(urn: string, aspect: string): boolean;
  /** Returns an entity's latest aspects by name, sorted. */
  latestOf(urn: string): ReadonlyMap<string, StoredAspect>;
  /**
   * Stores a new latest value and moves the previous one into the history. If the value equals the latest one, stores nothing and
   * returns false, because DataHub then creates no new version (EntityServiceImpl, isNoOp).
   */
  put(urn: string, aspect: string, value: JsonObject, audit: AuditTrail): boolean;
  /** Deletes an aspect and its history. Returns false if there is none. */
  deleteAspect(urn: string, aspect: string): boolean;
  /** Deletes an entity: all its aspects and their history. Returns how many aspects it had. */
  deleteEntity(urn: string): number;
  /** Returns the definitions of deleted structured properties. */
  deletedDefinitions(): readonly JsonObject[];
  /** Returns the unfinished removals of references. */
  removals(): readonly Removal[];
  /** Stores a removal, or updates its progress. */
  keepRemoval(removal: Removal): void;
  /** Deletes a finished removal. */
  endRemoval(urn: string): void;
  /** Commits all writes that `work` makes, or none if it throws. */
  transaction<T>(work: () => T): T;
  /** Moves the write-ahead log into the database file and closes it. */
  close(): void;
}
