/** Defines the kind for user groups, which can own assets. */

import { identifiedById, manageIdentities } from "./build.ts";
import type { Kind } from "./kind.ts";

export const group: Kind<"Group"> = {
  name: "Group",
  noun: "group",
  plural: "groups",
  typename: "CorpGroup",
  searchType: "CORP_GROUP",
  page: "group",
  lifecycle: "owned",
  softDeletable: true,
  ownable: true,
  displayName: "display_name",
  storage: {
    display_name: ["corpGroupInfo", "displayName"],
    email: ["corpGroupInfo", "email"],
    description: ["corpGroupInfo", "description"],
    slack: ["corpGroupInfo", "slack"],
    picture_link: ["corpGroupEditableInfo", "pictureLink"],
  },
  privilege: manageIdentities,
  deletion: {
    mutation: "removeGroup",
    privilege: manageIdentities,
    relationships: ["OwnedBy", "IsMemberOfGroup", "IsMemberOfNativeGroup"],
    searchFields: ["owners"],
    byDefault: true,
  },
  descriptions: {
    description: "Describes what the group does. `none` removes the description.",
    email: "The group's email address.",
    slack: "The group's Slack channel.",
    picture_link: "The URL of the group's picture.",
  },
  examples: {
    display_name: ["Finance data"],
    description: ["Loads and checks the data for financial reports."],
    email: ["finance-data@acme.com"],
    slack: ["#finance-data"],
    picture_link: ["https://acme.com/finance-data.png"],
    owners: [[{ user: "alice@acme.com", type: "DATA_STEWARD" }], []],
  },
  ...identifiedById("corpGroup", "group", "finance-data"),
  // The origin is written first. It is never added to an existing group, because the server sets it when the first member is
  // added (GroupService.java). If the origin cannot be written, the group does not exist yet, and the next apply creates it.
  initial: () => ({
    origin: { type: "NATIVE" },
    corpGroupInfo: { admins: [], members: [], groups: [] },
  }),
  otherNames: { urn: "id", admins: "owners" },
};
