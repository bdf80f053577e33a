import { isJsonList, type Json, type JsonObject } from "../model/json.ts";
import { isUrn, type Urn } from "../model/urn.ts";
import { rawAspect } from "./answer.ts";
import { edgesOfMembers } from "./index.ts";
import { isSoftDeleted } from "./removed.ts";

const lists = edgesOfMembers.flatMap(({ storedByMembers }) => storedByMembers.lists);

/** The raw aspects that say whether a user or group can act, and in which groups a user is. */
export const aspectsOfPeople: readonly string[] = [
  "status",
  "corpUserInfo",
  "corpUserStatus",
  ...lists.map(({ aspect }) => aspect),
];

/** A user or a group, as far as its aspects say it. */
export interface Person {
  /** Whether it exists, and is neither removed, suspended nor inactive. */
  readonly isActive: boolean;
  /** It does not exist or is soft-deleted, and nothing else keeps it from being active. */
  readonly isMissing?: true;
  /** The groups that it is in. */
  readonly groups: readonly Urn[];
}

/**
 * A user or group by its raw aspects. A user whom `corpUserInfo.active` or its status calls otherwise is not active; a group is
 * where it exists. Throws `CatalogError` where the aspects are malformed.
 */
export function personIn(exists: boolean, aspects: JsonObject): Person {
  const at = (aspect: string, field: string): Json | undefined => rawAspect({ aspects }, aspect)[field];
  const isInactive = at("corpUserInfo", "active") === false;
  const isSuspended = (at("corpUserStatus", "status") ?? "ACTIVE") !== "ACTIVE";
  const isThere = exists && !isSoftDeleted(aspects["status"]);
  const mayAct = !isInactive && !isSuspended;
  return {
    isActive: isThere && mayAct,
    ...(!isThere && mayAct && { isMissing: true }),
    groups: lists.flatMap(({ aspect, list }) => {
      const stored = at(aspect, list);
      return isJsonList(stored) ? stored.filter(isUrn) : [];
    }),
  };
}
