import { identifiedById, type Kind } from "./kind.ts";

export const group: Kind<"Group"> = {
  name: "Group",
  plural: "groups",
  typename: "CorpGroup",
  searchType: "CORP_GROUP",
  lifecycle: "owned",
  softDeletable: true,
  ownable: true,
  displayName: "display_name",
  keeps: {
    display_name: ["corpGroupInfo", "displayName"],
    email: ["corpGroupInfo", "email"],
    description: ["corpGroupInfo", "description"],
    slack: ["corpGroupInfo", "slack"],
    picture_link: ["corpGroupEditableInfo", "pictureLink"],
  },
  deletion: {
    mutation: "removeGroup",
    relationships: ["OwnedBy", "IsMemberOfGroup", "IsMemberOfNativeGroup"],
    byDefault: true,
  },
  ...identifiedById("corpGroup", "group"),
  initial: () => ({
    corpGroupInfo: { admins: [], members: [], groups: [] },
    origin: { type: "NATIVE" },
  }),
  otherNames: { urn: "id", admins: "owners" },
};
