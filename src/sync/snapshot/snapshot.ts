/** Defines the format of snapshots, and the keys under which they store answers. */

import { edgesOfMembers } from "../../facets/index.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import type { ListedDefinitions } from "../read/list-definitions.ts";

/** A server's answers about one entity. */
export interface SnapshotEntry {
  /** The answers by query. The keys are those of `queryKey`, or `storedKey`. */
  readonly answers: Readonly<Record<string, SavedAnswer>>;
  /** The aspects that show who wrote their values, including audit stamps. */
  readonly stored?: JsonObject;
}

/** The answer to a query about one entity. */
export interface SavedAnswer {
  /** The entity's selected fields. */
  readonly entity?: Json;
  /** The answer to `entityExists`, if the query contains it. */
  readonly exists?: Json;
  /** Why the entity could not be read. If set, only `exists` counts. */
  readonly error?: string;
}

/** The type and filters in a search. */
export interface SavedSearch {
  /** A value of DataHub's enum EntityType. */
  readonly type: string;
  /** The filters: an entity must match all filters in at least one list. Without a list, the search was not restricted. */
  readonly anyOf: readonly (readonly JsonObject[])[];
}

/** The entities of a type that the server's index named. */
export interface FoundEntities extends SavedSearch {
  readonly urns: readonly string[];
}

/** The version of the format. In version 1, each entity had one merged answer. */
export const snapshotVersion = "2";

/** The server and time at which a snapshot was taken. */
export interface SnapshotHeader {
  readonly tool: string;
  /** When the snapshot was taken, in ISO 8601. */
  readonly createdAt: string;
  /** The server's name, as in plans. */
  readonly target: string;
}

/** A server's answers. */
export interface RecordedAnswers {
  /** The search results for rules, if there are any. */
  readonly found?: readonly FoundEntities[];
  /** The server's answers about its own settings, by document, if any were requested. */
  readonly settings?: Readonly<Record<string, JsonObject | null>>;
  /** The entities, sorted by URN. */
  readonly entities: Readonly<Record<string, SnapshotEntry>>;
}

/** The live state that manifests name, as a server answered at one time. Its JSON is sealed. */
export interface Snapshot extends SnapshotHeader, RecordedAnswers {
  readonly formatVersion: typeof snapshotVersion;
  /** Whether hashes replace personal data. */
  readonly redacted?: true;
  /** The definitions in the catalog, by type. */
  readonly definitions: readonly ListedDefinitions[];
}

/** The key for the error that prevented reading stored aspects. No query has this name. */
export const storedKey = "stored";

/** Returns a URN's entry in a snapshot. */
export function entryOf({ entities }: Snapshot, urn: Urn): SnapshotEntry | undefined {
  return Object.hasOwn(entities, urn) ? entities[urn] : undefined;
}

/** Returns a query's name and, if there is one, the start of the page, such as `ReadReferring 500`. */
export function queryKey(document: string, { start }: JsonObject): string {
  const name = /^query (\w+)/.exec(document)?.[1] ?? "";
  return typeof start === "number" && start > 0 ? `${name} ${start}` : name;
}

/** Returns the query field that answers one entity by its URN. */
export function queryFor(urn: Urn): string {
  const edges = edgesOfMembers.find(({ kind }) => kind.entityType === entityTypeOf(urn));
  return edges?.storedByMembers.query ?? "";
}

/** Returns the URNs that a query requests as `u0`, `u1`, …; their answers are `e0`, `e1`, …. */
export function numberedUrns(variables: JsonObject): readonly Urn[] {
  const urns: Urn[] = [];
  for (let urn = variables["u0"]; isUrn(urn); urn = variables[`u${urns.length}`]) urns.push(urn);
  return urns;
}

/** Returns the URNs that a query requests by `entities(urns)`. */
export function listedUrns({ urns }: JsonObject): readonly Urn[] {
  return isJsonList(urns) ? urns.filter(isUrn) : [];
}

/** Returns the type and filters of a scroll. */
export function scrollOf({ types, orFilters }: JsonObject): SavedSearch {
  const [type] = isJsonList(types) ? types : [];
  const lists = isJsonList(orFilters) ? orFilters.filter(isJsonObject) : [];
  const anyOf = lists.map(({ and }) => (isJsonList(and) ? and.filter(isJsonObject) : []));
  return { type: typeof type === "string" ? type : "", anyOf };
}
