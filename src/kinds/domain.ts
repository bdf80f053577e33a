import { idSchema, identifiedById, type Kind, textSchema } from "./kind.ts";

export const domain: Kind = {
  name: "Domain",
  plural: "domains",
  entityType: "domain",
  typename: "Domain",
  lifecycle: "owned",
  ...identifiedById("domain"),
  fields: {
    id: idSchema("domain"),
    name: textSchema,
    description: textSchema,
    parent_domain: { ...textSchema, description: "The id or URN of the domain above." },
  },
};
