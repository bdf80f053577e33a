import { edgesOfMembers } from "../../facets/index.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";

/** What a server answered about one entity. */
export interface SnapshotEntry {
  /** By the query, as `queryKey` has it, or `storedKey`. */
  readonly answers: Readonly<Record<string, SavedAnswer>>;
  /** The aspects with the writers of their values, and their audit stamps. */
  readonly stored?: JsonObject;
}

/** The answer of a query about one entity. */
export interface SavedAnswer {
  /** What it selects of the entity. */
  readonly entity?: Json;
  /** The answer of `entityExists`, which some queries ask beside it. */
  readonly exists?: Json;
  /** Why it could not be read: then no more than `exists` of the answer counts. */
  readonly error?: string;
}

/** Which entities of a type the server's index named. */
export interface FoundEntities {
  /** A value of DataHub's enum EntityType. */
  readonly type: string;
  /** By what they were found: they match all filters of at least one list. Without a list nothing restricted them. */
  readonly anyOf: readonly (readonly JsonObject[])[];
  readonly urns: readonly string[];
}

/** All definitions of one type that a server had. */
export interface ListedDefinitions {
  /** The type, as URNs spell it. */
  readonly type: string;
  readonly urns: readonly string[];
  /** Those among them that are soft-deleted. */
  readonly softDeleted: readonly string[];
}

/** The version of the format: 1 had one merged answer for each entity. */
export const snapshotVersion = "2";

/** The live state that manifests name, as a server answered it at one time. Its JSON is sealed. */
export interface Snapshot {
  readonly formatVersion: typeof snapshotVersion;
  readonly tool: string;
  /** An ISO 8601 instant. */
  readonly createdAt: string;
  /** The server, as plans name it. */
  readonly target: string;
  /** Whether personal data is replaced by hashes. */
  readonly redacted?: true;
  /** What was found for rules; only where there are any. */
  readonly found?: readonly FoundEntities[];
  /** What the server answered of its own settings, by the document that asked; only where it was asked. */
  readonly settings?: Readonly<Record<string, JsonObject | null>>;
  /** The definitions of the catalog, by type. */
  readonly definitions: readonly ListedDefinitions[];
  /** By URN, sorted. */
  readonly entities: Readonly<Record<string, SnapshotEntry>>;
}

/** The key under which an entry has why it could not be read what is stored; no query is called like this. */
export const storedKey = "stored";

/** What the reading of an entity that is not in a snapshot fails with. */
export const missingEntry = "it is not in the snapshot";

/** The entry of a URN in a snapshot. */
export function entryOf({ entities }: Pick<Snapshot, "entities">, urn: Urn): SnapshotEntry | undefined {
  return Object.hasOwn(entities, urn) ? entities[urn] : undefined;
}

/** The name of a query, and where its answer begins if it is asked in pages: `ReadReferring 500`. */
export function queryKey(document: string, { start }: JsonObject): string {
  const name = /^query (\w+)/.exec(document)?.[1] ?? "";
  return typeof start === "number" && start > 0 ? `${name} ${start}` : name;
}

/** The field of a query that answers one entity by its URN. */
export function queryFor(urn: Urn): string {
  const edges = edgesOfMembers.find(({ kind }) => kind.entityType === entityTypeOf(urn));
  return edges?.storedByMembers.query ?? "";
}

/** The URNs that a query asks for as `u0`, `u1`, …: their answers are `e0`, `e1`, …. */
export function numberedUrns(variables: JsonObject): readonly Urn[] {
  const urns: Urn[] = [];
  for (let urn = variables["u0"]; isUrn(urn); urn = variables[`u${urns.length}`]) urns.push(urn);
  return urns;
}

/** The URNs that a query asks for by `entities(urns)`. */
export function listedUrns({ urns }: JsonObject): readonly Urn[] {
  return isJsonList(urns) ? urns.filter(isUrn) : [];
}

/** What a scroll asks the index for. */
export function scrollOf({ types, orFilters }: JsonObject): Pick<FoundEntities, "type" | "anyOf"> {
  const [type] = isJsonList(types) ? types : [];
  const lists = isJsonList(orFilters) ? orFilters.filter(isJsonObject) : [];
  const anyOf = lists.map(({ and }) => (isJsonList(and) ? and.filter(isJsonObject) : []));
  return { type: typeof type === "string" ? type : "", anyOf };
}
