import { textSchema, urnOfId } from "../kinds/kind.ts";
import { isSetChange } from "../model/change.ts";
import { isJsonObject, type JsonObject, textOf } from "../model/json.ts";
import type { Request } from "../model/operation.ts";
import { setOf } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { description } from "./description.ts";
import { type Facet, noAspects, refuseUrn, showPlain } from "./facet.ts";
import { profile } from "./profile.ts";

const userFields: JsonObject = Object.fromEntries(
  [...profile, description].filter(({ on }) => on.includes("User")).map(({ name, schema }) => [name, schema]),
);

/**
 * The users in a group. Memberships are kept on the users, so live state comes from their aspects
 * (`src/datahub/read/memberships.ts`) and not from what the group answers.
 */
export const members: Facet = {
  name: "members",
  on: ["Group"],
  shape: "set",
  refersTo: ["corpuser"],
  schema: {
    type: "array",
    description: "Ids or URNs of users, or users written out; `[]` for none.",
    items: {
      if: { type: "object" },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: {
        type: "object",
        required: ["id"],
        properties: { id: textSchema, ...userFields },
        additionalProperties: false,
      },
      else: textSchema,
    },
  },
  costly: false,
  aspects: noAspects,
  optionalFields: [],
  selection: () => "",
  parse: (written) => {
    const inline = isJsonObject(written);
    const text = textOf(inline ? written["id"] : written);
    const result = urnOfId("corpuser", text);
    if ("fault" in result) return refuseUrn(text, result.fault, inline ? ["id"] : []);
    return { value: result.urn, references: [{ urn: result.urn, entityType: "corpuser" }] };
  },
  show: showPlain,
  observe: () => ({ value: setOf([]) }),
  requests: (change) => {
    if (!isSetChange(change)) return [];
    return [
      ...change.add.map((user) =>
        membershipMutation("addGroupMembers", "AddGroupMembersInput!", change.urn, user),
      ),
      ...change.remove.flatMap((user) => [
        membershipMutation("removeGroupMembers", "RemoveGroupMembersInput!", change.urn, user),
        legacyRemoval(change.urn, user as Urn),
      ]),
    ];
  },
};

// One user each: the server writes them one after the other and stops at the first that is missing (GroupService.java).
function membershipMutation(field: string, type: string, groupUrn: Urn, user: unknown): Request {
  return {
    type: "mutation",
    field,
    args: [{ name: "input", type, value: { groupUrn, userUrns: [user as Urn] } }],
  };
}

// `removeGroupMembers` answers true and leaves an entry of the older aspect where it is (RemoveGroupMembersResolver.java).
function legacyRemoval(group: Urn, user: Urn): Request {
  return {
    type: "proposal",
    urn: user,
    aspect: "groupMembership",
    initial: {},
    set: {},
    drop: { list: "groups", element: group },
  };
}
