/** Defines the facets for the members of a group and the groups of a user. Both declare the same edges. */

import { kindOf } from "../kinds/index.ts";
import { fittedTo } from "../kinds/kind.ts";
import { referenceSchema } from "../model/identifier.ts";
import type { JsonObject } from "../model/json.ts";
import type { Request } from "../model/operation.ts";
import type { Urn } from "../model/urn.ts";
import { editingProposal, mutation, referenceTo, setFacet } from "./build.ts";
import { description } from "./description.ts";
import { fields } from "./fields.ts";

const userFields: JsonObject = Object.fromEntries(
  [...fields, description]
    .filter(({ kinds }) => kinds.includes("User"))
    .map(({ name, schema = {} }) => [name, fittedTo(kindOf("User"), name, schema)]),
);

/** The members of a group. The server stores them on the users, so `src/sync/read/memberships.ts` reads the live value. */
export const members = setFacet({
  name: "members",
  kinds: ["Group"],
  schema: {
    type: "array",
    description: "The members: ids or URNs of users, or users defined inline. `[]` means no members.",
    examples: [["alice@acme.com", { id: "bob@acme.com", display_name: "Bob Roe" }], []],
    items: {
      if: { type: "object" },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: {
        type: "object",
        required: ["id"],
        properties: { ...kindOf("User").fields, ...userFields },
        additionalProperties: false,
      },
      else: referenceSchema("corpuser"),
    },
  },
  privilege: { name: "EDIT_GROUP_MEMBERS", title: "Edit Group Members" },
  ...referenceTo("corpuser"),
  wording: { gains: "joins", loses: "leaves" },
  inlineKind: "User",
  // Adding the first member can make the server move other members to a different aspect (GroupService.java, migration).
  // Memberships are therefore written one at a time.
  lock: "memberships",
  edges: {
    inverse: "groups",
    storedByMembers: {
      lists: [
        { aspect: "groupMembership", list: "groups" },
        { aspect: "nativeGroupMembership", list: "nativeGroups" },
      ],
      relationships: ["IsMemberOfGroup", "IsMemberOfNativeGroup"],
      query: "corpGroup",
      originAspect: "origin",
    },
  },
  observe: () => [],
  add: ({ urn }, users) =>
    users.map((user) => ({
      elements: [user],
      request: membershipMutation("addGroupMembers", "AddGroupMembersInput!", urn, user),
    })),
  remove: ({ urn }, users) =>
    users.flatMap((user) =>
      [
        membershipMutation("removeGroupMembers", "RemoveGroupMembersInput!", urn, user),
        legacyRemoval(urn, user),
      ].map((request) => ({ elements: [user], request })),
    ),
});

// Each request contains a single user, because the server processes users in order and stops at the first missing user
// (GroupService.java).
function membershipMutation(field: string, type: string, groupUrn: Urn, user: Urn): Request {
  return mutation(field, type, { groupUrn, userUrns: [user] });
}

// Removes a membership that is stored in the older aspect. `removeGroupMembers` returns true, but does not remove such a
// membership (RemoveGroupMembersResolver.java).
function legacyRemoval(group: Urn, user: Urn): Request {
  return editingProposal(user, "groupMembership", { at: ["groups"], add: [], remove: [group] });
}

/** Declares the same edges as `members`, but in the manifest of the user. The tool shows and writes them as `members`. */
export const groups = setFacet({
  name: "groups",
  kinds: ["User"],
  schema: {
    type: "array",
    items: referenceSchema("corpGroup"),
    description: "The groups that the user belongs to, by id or URN. `[]` means no groups.",
    examples: [["finance-data"], []],
  },
  ...referenceTo("corpGroup"),
  observe: () => [],
  add: () => [],
  remove: () => [],
});
