import type { JsonObject } from "../model/json.ts";
import type { Urn } from "../model/urn.ts";

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
  /** By URN, sorted. */
  readonly entities: Readonly<Record<string, Held>>;
}

/** What a reading of an entity that a snapshot does not hold fails with. */
export const notHeld = "it is not in the snapshot";

/** The entity that a snapshot holds of a URN. */
export function heldIn({ entities }: Pick<Snapshot, "entities">, urn: Urn): Held | undefined {
  return Object.hasOwn(entities, urn) ? entities[urn] : undefined;
}
