/** The format of snapshots, and the keys by which they store answers. */

import { edgesOfMembers } from "../../facets/index.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";
import type { ListedDefinitions } from "../read/list-definitions.ts";

/** The answers of a server about one entity. */
export interface SnapshotEntry {
  /** The answers by query, with the keys of `queryKey`, or `storedKey`. */
  readonly answers: Readonly<Record<string, SavedAnswer>>;
  /** The aspects with the writers of their values, and their audit stamps. */
  readonly stored?: JsonObject;
}

/** The answer of a query about one entity. */
export interface SavedAnswer {
  /** The selected fields of the entity. */
  readonly entity?: Json;
  /** The answer of `entityExists`, if the query contains it. */
  readonly exists?: Json;
  /** Why the entity could not be read. Only `exists` counts then. */
  readonly error?: string;
}

/** The type and filters of a search. */
export interface SavedSearch {
  /** A value of DataHub's enum EntityType. */
  readonly type: string;
  /** The filters: an entity matches all filters of at least one list. Without a list, the search was not restricted. */
  readonly anyOf: readonly (readonly JsonObject[])[];
}

/** The entities of a type that the server's index named. */
export interface FoundEntities extends SavedSearch {
  readonly urns: readonly string[];
}

/** The version of the format. Version 1 had one merged answer for each entity. */
export const snapshotVersion = "2";

/** The origin of a snapshot. */
export interface SnapshotHeader {
  readonly tool: string;
  /** An ISO 8601 instant. */
  readonly createdAt: string;
  /** The server, as plans name it. */
  readonly target: string;
}

/** The answers of a server. */
export interface RecordedAnswers {
  /** The search results for rules, if there are any. */
  readonly found?: readonly FoundEntities[];
  /** The server's answers about its own settings, by document, if it was asked. */
  readonly settings?: Readonly<Record<string, JsonObject | null>>;
  /** By URN, sorted. */
  readonly entities: Readonly<Record<string, SnapshotEntry>>;
}

/** The live state that manifests name, as a server answered at one time. Its JSON is sealed. */
export interface Snapshot extends SnapshotHeader, RecordedAnswers {
  readonly formatVersion: typeof snapshotVersion;
  /** Whether personal data is replaced by hashes. */
  readonly redacted?: true;
  /** The definitions of the catalog, by type. */
  readonly definitions: readonly ListedDefinitions[];
}

/** The key of the error that prevented reading stored aspects. No query has this name. */
export const storedKey = "stored";

/** The entry of a URN in a snapshot. */
export function entryOf({ entities }: Snapshot, urn: Urn): SnapshotEntry | undefined {
  return Object.hasOwn(entities, urn) ? entities[urn] : undefined;
}

/** The name of a query, with the start of a page, such as `ReadReferring 500`. */
export function queryKey(document: string, { start }: JsonObject): string {
  const name = /^query (\w+)/.exec(document)?.[1] ?? "";
  return typeof start === "number" && start > 0 ? `${name} ${start}` : name;
}

/** The field of a query that answers one entity by its URN. */
export function queryFor(urn: Urn): string {
  const edges = edgesOfMembers.find(({ kind }) => kind.entityType === entityTypeOf(urn));
  return edges?.storedByMembers.query ?? "";
}

/** The URNs that a query requests as `u0`, `u1`, …; their answers are `e0`, `e1`, …. */
export function numberedUrns(variables: JsonObject): readonly Urn[] {
  const urns: Urn[] = [];
  for (let urn = variables["u0"]; isUrn(urn); urn = variables[`u${urns.length}`]) urns.push(urn);
  return urns;
}

/** The URNs that a query requests by `entities(urns)`. */
export function listedUrns({ urns }: JsonObject): readonly Urn[] {
  return isJsonList(urns) ? urns.filter(isUrn) : [];
}

/** The type and filters of a scroll. */
export function scrollOf({ types, orFilters }: JsonObject): SavedSearch {
  const [type] = isJsonList(types) ? types : [];
  const lists = isJsonList(orFilters) ? orFilters.filter(isJsonObject) : [];
  const anyOf = lists.map(({ and }) => (isJsonList(and) ? and.filter(isJsonObject) : []));
  return { type: typeof type === "string" ? type : "", anyOf };
}
