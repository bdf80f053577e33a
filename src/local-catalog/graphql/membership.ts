import { stringsAt } from "../json.ts";
import { writeAsUser } from "./mutations/mutation.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * The two aspects of a user that make members, by the relationship that each stands for: what ingestion writes,
 * and what is managed here (GroupMembership.pdl, NativeGroupMembership.pdl).
 */
export const membershipAspects = {
  IsMemberOfGroup: ["groupMembership", "groups"],
  IsMemberOfNativeGroup: ["nativeGroupMembership", "nativeGroups"],
} as const;

// DataHub reads no more of them from its graph (GroupService.getExistingGroupMembers).
const maxMoved = 500;

/** Makes a user a native member of a group, as its last one. */
export function addToNativeGroup(userUrn: string, groupUrn: string, context: RequestContext): void {
  const before = context.store.latest(userUrn, "nativeGroupMembership")?.value;
  const others = stringsAt(before, "nativeGroups").filter((group) => group !== groupUrn);
  writeAsUser(context, userUrn, "nativeGroupMembership", { ...before, nativeGroups: [...others, groupUrn] });
}

/** Ends a user's native membership; an ingested one stays. */
export function removeFromNativeGroup(userUrn: string, groupUrn: string, context: RequestContext): void {
  leave(userUrn, groupUrn, "IsMemberOfNativeGroup", context);
}

/** Makes the ingested members of a group native ones, and the group native (GroupService.migrateGroupMembershipToNativeGroupMembership). */
export function migrateToNative(groupUrn: string, context: RequestContext): void {
  const members: string[] = [];
  context.store.eachLatestUnder("urn:li:corpuser:", "groupMembership", (urn, _aspect, value) => {
    if (stringsAt(value, "groups").includes(groupUrn)) members.push(urn);
  });
  for (const userUrn of members.slice(0, maxMoved)) {
    addToNativeGroup(userUrn, groupUrn, context);
    leave(userUrn, groupUrn, "IsMemberOfGroup", context);
  }
  writeAsUser(context, groupUrn, "origin", { type: "NATIVE" });
}

function leave(
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
