import { idSchema, identifiedById, type Kind } from "./kind.ts";

export const tag: Kind = {
  name: "Tag",
  plural: "tags",
  entityType: "tag",
  typename: "Tag",
  lifecycle: "owned",
  ...identifiedById("tag"),
  fields: { id: idSchema("tag") },
  initial: (key) => ({ tagProperties: { name: key } }),
};
