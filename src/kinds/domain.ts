import { idSchema, identifiedById, type Kind } from "./kind.ts";

export const domain: Kind = {
  name: "Domain",
  plural: "domains",
  entityType: "domain",
  typename: "Domain",
  lifecycle: "owned",
  ...identifiedById("domain"),
  fields: { id: idSchema("domain") },
  initial: (key) => ({ domainProperties: { name: key } }),
};
