/** Determines whether a user or group is active, and which groups a user belongs to. */

import { isJsonList, type Json, type JsonObject } from "../model/json.ts";
import { isUrn, type Urn } from "../model/urn.ts";
import { aspectIn } from "../model/answer.ts";
import { edgesOfMembers } from "./index.ts";
import { isSoftDeleted } from "./removed.ts";

const lists = edgesOfMembers.flatMap(({ storedByMembers }) => storedByMembers.lists);

/** The aspects that `personIn` reads. */
export const aspectsOfPeople: readonly string[] = [
  "status",
  "corpUserInfo",
  "corpUserStatus",
  ...lists.map(({ aspect }) => aspect),
];

/** A user or a group. */
export interface Person {
  /** Whether the user or group exists and is not soft-deleted, suspended or inactive. */
  readonly isActive: boolean;
  /** Set if the user or group does not exist or is soft-deleted, but is not suspended or inactive. */
  readonly isMissing?: true;
  readonly groups: readonly Urn[];
}

/**
 * Reads a user or group. Either `corpUserInfo.active` or `corpUserStatus` can mark a user as inactive. An existing group is
 * always active. Throws `CatalogError` if the aspects are malformed.
 */
export function personIn(exists: boolean, aspects: JsonObject): Person {
  const at = (aspect: string, field: string): Json | undefined => aspectIn(aspects, aspect)[field];
  const isInactive = at("corpUserInfo", "active") === false;
  const isSuspended = (at("corpUserStatus", "status") ?? "ACTIVE") !== "ACTIVE";
  const isPresent = exists && !isSoftDeleted(aspects["status"]);
  const mayAct = !isInactive && !isSuspended;
  return {
    isActive: isPresent && mayAct,
    ...(!isPresent && mayAct && { isMissing: true }),
    groups: lists.flatMap(({ aspect, list }) => {
      const stored = at(aspect, list);
      return isJsonList(stored) ? stored.filter(isUrn) : [];
    }),
  };
}
