import { canonicalJson, isJsonList, isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";

/** What a server answered about one entity, put together from all that a plan can ask about it. */
export interface Held {
  /** The answer of `entityExists`. */
  readonly exists: boolean | null;
  /** The entity as GraphQL answered it, or `null` where it did not. */
  readonly entity: JsonObject | null;
  /** The aspects that tell who wrote what, with what stands around them. */
  readonly stored?: JsonObject;
  /** The users in a group, by the server's index; only of groups that manifests name. */
  readonly members?: readonly string[];
  /** Why it could not be read. */
  readonly error?: string;
}

/** Which entities of a type the server's index named. */
export interface FoundEntities {
  /** A value of DataHub's enum EntityType. */
  readonly type: string;
  /** By what they were found: all filters of at least one list hold. Without a list nothing restricted them. */
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

/** The live state that manifests name, as a server answered it at one time. Its JSON is sealed. */
export interface Snapshot {
  readonly formatVersion: "1";
  readonly tool: string;
  /** An ISO 8601 instant. */
  readonly createdAt: string;
  /** The server, as plans name it. */
  readonly target: string;
  /** Whether personal data is replaced by hashes. */
  readonly redacted?: true;
  /** The fields, as `Type.field`, that only newer servers have and this one has. */
  readonly fields: readonly string[];
  /** What was found for rules; only where there are any. */
  readonly found?: readonly FoundEntities[];
  /** The definitions of the catalog, by type. Snapshots of the first releases have none. */
  readonly definitions?: readonly ListedDefinitions[];
  /** By URN, sorted. */
  readonly entities: Readonly<Record<string, Held>>;
}

/** What a reading of an entity that a snapshot does not hold fails with. */
export const notHeld = "it is not in the snapshot";

/** The entity that a snapshot holds of a URN. */
export function heldIn({ entities }: Pick<Snapshot, "entities">, urn: Urn): Held | undefined {
  return Object.hasOwn(entities, urn) ? entities[urn] : undefined;
}

/** What a scroll asks the index for, in the one form that a snapshot has of it. */
export function askedIn({ types, orFilters }: JsonObject): Pick<FoundEntities, "type" | "anyOf"> {
  const [type] = isJsonList(types) ? types : [];
  const lists = isJsonList(orFilters) ? orFilters.filter(isJsonObject) : [];
  const anyOf = lists.map(({ and }) => (isJsonList(and) ? and.filter(isJsonObject) : []));
  return { type: typeof type === "string" ? type : "", anyOf };
}

/**
 * What a snapshot holds of what the index names for a question: the same was asked, or at least that. More than was asked for
 * does no harm, since the index decides nothing.
 */
export function foundIn(
  { found = [] }: Pick<Snapshot, "found">,
  { type, anyOf }: Pick<FoundEntities, "type" | "anyOf">,
): readonly string[] | undefined {
  const own = found.filter((each) => each.type === type);
  const same = own.find((each) => canonicalJson(each.anyOf) === canonicalJson(anyOf));
  const all = same ?? own.find((each) => each.anyOf.length === 0);
  if (all) return all.urns;
  const lists = anyOf.map((list) => {
    const text = canonicalJson(list);
    return own.find((each) => each.anyOf.some((other) => canonicalJson(other) === text));
  });
  if (anyOf.length === 0 || lists.includes(undefined)) return undefined;
  return [...new Set(lists.flatMap((each) => each?.urns ?? []))];
}
