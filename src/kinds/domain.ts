import { identifiedById, type Kind } from "./kind.ts";

export const domain: Kind<"Domain"> = {
  name: "Domain",
  noun: "domain",
  plural: "domains",
  typename: "Domain",
  searchType: "DOMAIN",
  page: "domain",
  lifecycle: "owned",
  // The entity registry gives domains no `status` aspect.
  softDeletable: false,
  ownable: true,
  displayName: "name",
  storage: {
    name: ["domainProperties", "name"],
    description: ["domainProperties", "description"],
    parent_domain: ["domainProperties", "parentDomain"],
  },
  parentFacet: "parent_domain",
  deletion: {
    mutation: "deleteDomain",
    privilege: { name: "MANAGE_DOMAINS", title: "Manage Domains" },
    relationships: ["AssociatedWith"],
    searchFields: ["domains"],
    byDefault: true,
  },
  ...identifiedById("domain", "domain", "finance"),
  initial: (key) => ({ domainProperties: { name: key } }),
};
