/** Adds, removes and migrates group memberships, and lists the aspects that contain ingested and native memberships. */

import { stringsAt } from "../json.ts";
import type { RequestContext } from "./request-context.ts";
import { writeAsUser } from "./write-as-user.ts";

/**
 * The two user aspects that contain group memberships, keyed by relationship. Ingestion writes the first, and DataHub manages the
 * second (GroupMembership.pdl, NativeGroupMembership.pdl).
 */
export const membershipAspects = {
  IsMemberOfGroup: ["groupMembership", "groups"],
  IsMemberOfNativeGroup: ["nativeGroupMembership", "nativeGroups"],
} as const;

// Maximum number of members that DataHub migrates (GroupService.getExistingGroupMembers).
const maxMoved = 500;

/** Adds a group to the end of a user's list of native groups. */
export function addToNativeGroup(userUrn: string, groupUrn: string, context: RequestContext): void {
  const before = context.store.latest(userUrn, "nativeGroupMembership")?.value;
  const others = stringsAt(before, "nativeGroups").filter((group) => group !== groupUrn);
  writeAsUser(context, userUrn, "nativeGroupMembership", { ...before, nativeGroups: [...others, groupUrn] });
}

/** Makes a group and its ingested memberships native (GroupService.migrateGroupMembershipToNativeGroupMembership). */
export function migrateToNative(groupUrn: string, context: RequestContext): void {
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
export function removeMembership(
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
