/** Defines the snapshot format, and the keys under which responses are stored. */

import { edgesOfMembers } from "../../facets/index.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import type { ListedDefinitions } from "../read/list-definitions.ts";

/** A server's responses about one entity. */
export interface SnapshotEntry {
  /** The responses, keyed by `queryKey` or `storedKey`. */
  readonly answers: Readonly<Record<string, SavedAnswer>>;
  /** The aspects that show who wrote their values, including audit stamps. */
  readonly stored?: JsonObject;
}

/** The result of a query for one entity. */
export interface SavedAnswer {
  /** The entity's selected fields. */
  readonly entity?: Json;
  /** The value of `entityExists`, if the query contains it. */
  readonly exists?: Json;
  /** The reason why the entity could not be read. If set, only `exists` is valid. */
  readonly error?: string;
}

/** The entity type and filters of a search. */
export interface SavedSearch {
  /** A value of DataHub's enum EntityType. */
  readonly type: string;
  /** The filters. An entity must match all filters in at least one list. Without lists, the search was not restricted. */
  readonly anyOf: readonly (readonly JsonObject[])[];
}

/** The entities of a type that the server's index returned. */
export interface FoundEntities extends SavedSearch {
  readonly urns: readonly string[];
}

/** Version of the snapshot format. In version 1, each entity had a single merged response. */
export const snapshotVersion = "2";

/** The server and the time of a snapshot. */
export interface SnapshotHeader {
  readonly tool: string;
  /** The time when the snapshot was taken, in ISO 8601. */
  readonly createdAt: string;
  /** The server's name, as shown in plans. */
  readonly target: string;
}

/** A server's recorded responses. */
export interface RecordedAnswers {
  /** The search results for rules, if there are any. */
  readonly found?: readonly FoundEntities[];
  /** The server's responses about its settings, keyed by document. Absent if no settings were requested. */
  readonly settings?: Readonly<Record<string, JsonObject | null>>;
  /** The entities, sorted by URN. */
  readonly entities: Readonly<Record<string, SnapshotEntry>>;
}

/** The live state that some manifests need, as a server returned it at one point in time. Its JSON form contains a seal. */
export interface Snapshot extends SnapshotHeader, RecordedAnswers {
  readonly formatVersion: typeof snapshotVersion;
  /** Whether hashes replace personal data. */
  readonly redacted?: true;
  /** The definitions in the catalog, grouped by type. */
  readonly definitions: readonly ListedDefinitions[];
}

/** The key for the error that is recorded if stored aspects could not be read. No query has this name. */
export const storedKey = "stored";

/** Returns a URN's entry in a snapshot. */
export function entryOf({ entities }: Snapshot, urn: Urn): SnapshotEntry | undefined {
  return Object.hasOwn(entities, urn) ? entities[urn] : undefined;
}

/** Returns a query's name and, after the first page, the start of the page, such as `ReadReferring 500`. */
export function queryKey(document: string, { start }: JsonObject): string {
  const name = /^query (\w+)/.exec(document)?.[1] ?? "";
  return typeof start === "number" && start > 0 ? `${name} ${start}` : name;
}

/** Returns the query field that returns a single entity by URN. */
export function queryFor(urn: Urn): string {
  const edges = edgesOfMembers.find(({ kind }) => kind.entityType === entityTypeOf(urn));
  return edges?.storedByMembers.query ?? "";
}

/** Returns the URNs that a query requests as `u0`, `u1`, …. Their results are `e0`, `e1`, …. */
export function numberedUrns(variables: JsonObject): readonly Urn[] {
  const urns: Urn[] = [];
  for (let urn = variables["u0"]; isUrn(urn); urn = variables[`u${urns.length}`]) urns.push(urn);
  return urns;
}

/** Returns the URNs that a query requests with `entities(urns)`. */
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
