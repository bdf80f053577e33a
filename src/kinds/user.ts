import { idSchema, identifiedById, type Kind, textSchema } from "./kind.ts";

export const user: Kind = {
  name: "User",
  plural: "users",
  entityType: "corpuser",
  typename: "CorpUser",
  lifecycle: "owned",
  deletion: { mutation: "removeUser", relationships: ["OwnedBy", "ReportsTo"] },
  ...identifiedById("corpuser"),
  fields: {
    id: idSchema("user"),
    groups: { type: "array", items: textSchema, description: "Ids or URNs of its groups; `[]` for none." },
  },
  initial: () => ({ corpUserInfo: { active: true } }),
};
