/** Defines the kind for domains, which form a tree and are never soft-deleted. */

import { plainPart } from "../model/urn.ts";
import { identifiedById, typedOfDefinitions } from "./build.ts";
import type { Kind } from "./kind.ts";

export const domain: Kind<"Domain"> = {
  name: "Domain",
  noun: "domain",
  plural: "domains",
  typename: "Domain",
  searchType: "DOMAIN",
  page: "domain",
  lifecycle: "owned",
  // DataHub's entity registry defines no `status` aspect for domains.
  softDeletable: false,
  ownable: true,
  displayName: "name",
  shell: {
    sign: "properties { description }",
    typed: typedOfDefinitions,
    // If the server supports custom properties, a domain has a creation time in every response except a shell
    // (DomainMapper.java).
    newer: {
      field: "DomainProperties.customProperties",
      typed: [["domainProperties", "properties { createdOn { __typename } }"]],
    },
  },
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
  descriptions: {
    description: "Describes what the domain covers. `none` removes the description.",
  },
  ...identifiedById("domain", "domain", "finance"),
  initial: (key) => ({ domainProperties: { name: plainPart(key) } }),
};
