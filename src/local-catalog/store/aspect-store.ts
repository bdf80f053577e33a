/** Defines the interface of the store of aspects. */

import type { JsonObject } from "../../model/json.ts";

/** The metadata that DataHub stores with an aspect; `version` is the number of writes of the aspect, as a string. */
interface SystemMetadata extends JsonObject {
  readonly version: string;
}

/** The author, time and run of a write. The store adds the version. */
export interface AuditTrail {
  readonly actor: string;
  readonly time: number;
  readonly systemMetadata: JsonObject;
}

/** The latest value of an aspect and its metadata. */
export interface StoredAspect {
  readonly value: JsonObject;
  readonly systemMetadata: SystemMetadata;
  readonly created: { readonly time: number; readonly actor: string };
}

/** A deleted entity whose references are being removed. */
interface Removal {
  readonly urn: string;
  readonly since: number;
  /** The number of steps of the removal that are done. */
  readonly done: number;
  /** The entities that referred to the entity when it was deleted, according to the index. */
  readonly referrers: readonly string[];
}

/** Called with the latest value of an aspect. */
export type VisitAspect = (urn: string, aspect: string, value: JsonObject) => void;

/** The reads that find the references to an entity. */
export interface ReferenceReads {
  /** Visits the latest values that contain this URN as a value or key, in the order of URNs. */
  eachContaining(urn: string, visit: VisitAspect): void;
}

/** The reads that find entities and the names of their aspects. */
export interface EntityReads extends ReferenceReads {
  /** The URNs that start with `prefix`, which ends in an ASCII character, and have an aspect, in order. */
  urnsUnder(prefix: string, aspect: string): readonly string[];
  /** The names of an entity's aspects, sorted. */
  aspectNames(urn: string): readonly string[];
}

/** The reads that a search needs. */
export interface AspectReads extends EntityReads {
  /** The value at a version; 0 is the latest. */
  valueAt(urn: string, aspect: string, version: number): JsonObject | undefined;
  /** Visits the latest values of these aspects of these URNs, in one query. */
  eachLatest(urns: readonly string[], aspects: readonly string[], visit: VisitAspect): void;
  /** Visits the latest value of an aspect for all URNs that start with `prefix`, which ends in an ASCII character. */
  eachLatestUnder(prefix: string, aspect: string, visit: VisitAspect): void;
}

/** Durable aspects by URN, aspect name and version. A write is committed when its call returns. */
export interface AspectStore extends AspectReads {
  /** A random id of the data directory. */
  readonly id: string;
  latest(urn: string, aspect: string): StoredAspect | undefined;
  /** The latest value as it is stored, including the values that reads leave out. Patches are applied to this value. */
  storedValue(urn: string, aspect: string): JsonObject | undefined;
  has(urn: string, aspect: string): boolean;
  /** The latest aspects of an entity by their names, in order. */
  latestOf(urn: string): ReadonlyMap<string, StoredAspect>;
  /**
   * Stores a new latest value and moves the previous one into the history. Returns false and stores nothing if the value
   * equals the latest one, because DataHub creates no new version then (EntityServiceImpl, isNoOp).
   */
  put(urn: string, aspect: string, value: JsonObject, audit: AuditTrail): boolean;
  /** Removes an aspect and its history. Returns false if there is none. */
  deleteAspect(urn: string, aspect: string): boolean;
  /** Removes an entity: all its aspects and their history. Returns the number of aspects that it had. */
  deleteEntity(urn: string): number;
  /** The definitions that deleted structured properties had. */
  deletedDefinitions(): readonly JsonObject[];
  /** The removals of references that are not finished. */
  removals(): readonly Removal[];
  /** Stores a removal, or its progress. */
  keepRemoval(removal: Removal): void;
  /** Deletes a removal that is finished. */
  endRemoval(urn: string): void;
  /** Commits all writes of `work`, or none if it throws. */
  transaction<T>(work: () => T): T;
  /** Moves the write-ahead log into the database file and closes it. */
  close(): void;
}
