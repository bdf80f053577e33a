import { idSchema, identifiedById, type Kind } from "./kind.ts";

export const domain: Kind = {
  name: "Domain",
  plural: "domains",
  entityType: "domain",
  typename: "Domain",
  lifecycle: "owned",
  deletion: {
    mutation: "deleteDomain",
    // What is in it, and the domains below.
    relationships: ["AssociatedWith", "IsPartOf"],
  },
  ...identifiedById("domain"),
  fields: { id: idSchema("domain") },
  initial: (key) => ({ domainProperties: { name: key } }),
};
