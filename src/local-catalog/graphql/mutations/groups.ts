/** Mutations that create groups, and add and remove their members. */

import { entityExists } from "../../store/aspect-write.ts";
import { notFound, serverError } from "../errors.ts";
import { membershipAspects } from "../entities/relationships.ts";
import { stringsAt } from "../../json.ts";
import { newUrn, requireUrn, userStamp, type InputMutation, type NewEntity } from "./mutation.ts";
import { isOfType } from "../../registry/entity-urn.ts";
import type { RequestContext } from "../request-context.ts";
import { writeAsUser } from "../write-as-user.ts";

interface GroupMembersInput {
  readonly groupUrn: string;
  readonly userUrns: readonly string[];
}

/** Creates a native group (GroupService.createNativeGroup). */
export const createGroup: InputMutation<NewEntity, string | null> = ({ input }, context) => {
  const urn = newUrn("corpGroup", "Group", input.id, context);
  if (urn === null) return null;
  writeAsUser(context, urn, "corpGroupInfo", {
    displayName: input.name,
    description: input.description ?? "",
    admins: [],
    members: [],
    groups: [],
    created: userStamp(context),
  });
  writeAsUser(context, urn, "origin", { type: "NATIVE" });
  return urn;
};

/**
 * Adds users to a group, one at a time. If a user does not exist, users who have already been added remain members
 * (AddGroupMembersResolver.java).
 */
export const addGroupMembers: InputMutation<GroupMembersInput> = ({ input }, context) => {
  const groupUrn = requireUrn(input.groupUrn);
  if (!entityExists(context.store, groupUrn))
    throw notFound(`Failed to add members to group ${groupUrn}. Group does not exist.`);
  makeNative(groupUrn, context, {
    unmovable: `Failed to migrate group membership for group ${groupUrn} when adding group members`,
    external: `Group ${groupUrn} was ingested from an external provider and cannot have members manually added to it`,
  });
  for (const userUrn of input.userUrns) {
    if (!isOfType(userUrn, "corpuser") || !entityExists(context.store, userUrn))
      throw serverError(`Failed to add group members to group ${groupUrn}`);
    context.store.transaction(() => addToNativeGroup(userUrn, groupUrn, context));
  }
  return true;
};

/** Removes users from a group. Ignores users who do not exist or are not members (RemoveGroupMembersResolver.java). */
export const removeGroupMembers: InputMutation<GroupMembersInput> = ({ input }, context) => {
  const groupUrn = requireUrn(input.groupUrn);
  const userUrns = input.userUrns.map(requireUrn);
  if (!entityExists(context.store, groupUrn))
    throw notFound(`Failed to add remove members from group ${groupUrn}. Group does not exist.`);
  makeNative(groupUrn, context, {
    unmovable: `Failed to migrate group membership when removing group members from group ${groupUrn}`,
    external: `Group ${groupUrn} was ingested from an external provider and cannot have members manually removed from it`,
  });
  context.store.transaction(() => {
    for (const userUrn of new Set(userUrns))
      removeMembership(userUrn, groupUrn, "IsMemberOfNativeGroup", context);
  });
  return true;
};

interface ErrorMessages {
  readonly unmovable: string;
  readonly external: string;
}

// If a group has no origin, makes the group and its ingested memberships native. Throws an error for an external group.
function makeNative(groupUrn: string, context: RequestContext, { unmovable, external }: ErrorMessages): void {
  const type = context.store.latest(groupUrn, "origin")?.value["type"];
  if (type === "EXTERNAL") throw serverError(external);
  if (type !== undefined) return;
  if (!isOfType(groupUrn, "corpGroup")) throw serverError(unmovable);
  context.store.transaction(() => migrateToNative(groupUrn, context));
}

// Maximum number of members that DataHub migrates (GroupService.getExistingGroupMembers).
const maxMoved = 500;

/** Adds a group to the end of a user's list of native groups. */
function addToNativeGroup(userUrn: string, groupUrn: string, context: RequestContext): void {
  const before = context.store.latest(userUrn, "nativeGroupMembership")?.value;
  const others = stringsAt(before, "nativeGroups").filter((group) => group !== groupUrn);
  writeAsUser(context, userUrn, "nativeGroupMembership", { ...before, nativeGroups: [...others, groupUrn] });
}

/** Makes a group and its ingested memberships native (GroupService.migrateGroupMembershipToNativeGroupMembership). */
function migrateToNative(groupUrn: string, context: RequestContext): void {
  const members: string[] = [];
  for (const [urn, value] of context.index.aspectUnder("urn:li:corpuser:", "groupMembership"))
    if (stringsAt(value, "groups").includes(groupUrn)) members.push(urn);
  for (const userUrn of members.slice(0, maxMoved)) {
    addToNativeGroup(userUrn, groupUrn, context);
    removeMembership(userUrn, groupUrn, "IsMemberOfGroup", context);
  }
  writeAsUser(context, groupUrn, "origin", { type: "NATIVE" });
}

/**
 * Removes a user's native or ingested membership in a group, depending on `relationship`. Does not change a membership of the
 * other kind.
 */
function removeMembership(
  userUrn: string,
  groupUrn: string,
  relationship: keyof typeof membershipAspects,
  context: RequestContext,
): void {
  const [aspect, field] = membershipAspects[relationship];
  const before = context.store.latest(userUrn, aspect)?.value;
  const groups = stringsAt(before, field);
  if (!groups.includes(groupUrn)) return;
  writeAsUser(context, userUrn, aspect, { ...before, [field]: groups.filter((group) => group !== groupUrn) });
}
