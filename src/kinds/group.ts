import { idSchema, identifiedById, type Kind } from "./kind.ts";

export const group: Kind = {
  name: "Group",
  plural: "groups",
  entityType: "corpGroup",
  typename: "CorpGroup",
  lifecycle: "owned",
  deletion: {
    mutation: "removeGroup",
    relationships: ["OwnedBy", "IsMemberOfGroup", "IsMemberOfNativeGroup"],
  },
  ...identifiedById("corpGroup"),
  fields: { id: idSchema("group") },
  initial: () => ({
    corpGroupInfo: { admins: [], members: [], groups: [] },
    origin: { type: "NATIVE" },
  }),
};
