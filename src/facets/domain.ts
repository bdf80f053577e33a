/** Defines the facet `domain`: the single domain that an asset, a term or a data product belongs to. */

import { assetKinds } from "../kinds/index.ts";
import { referenceSchema } from "../model/identifier.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { answeredUrn, malformed, aspectIn } from "../model/answer.ts";
import { referenceTo, scalarFacet, textsOfReference } from "./build.ts";
import { fieldOf } from "./capabilities.ts";

/**
 * The domain of an entity. DataHub can store several domains, but GraphQL reads only the first and writes exactly one. The facet
 * reads the stored aspect, because GraphQL reads only the associations, which DataHub did not store before 1.7
 * (DomainAssociationMapper.java).
 */
export const domain = scalarFacet({
  name: "domain",
  kinds: [...assetKinds.map(({ name }) => name), "GlossaryTerm", "DataProduct"],
  schema: {
    ...referenceSchema("domain"),
    description: "The domain, by id or URN. `none` means no domain.",
    examples: ["finance", "none"],
  },
  privilege: { name: "EDIT_DOMAINS_PRIVILEGE", title: "Edit Domain" },
  ...referenceTo("domain"),
  relationship: "AssociatedWith",
  wording: { gains: "gets", loses: "loses", noun: "domain" },
  isPlacement: true,
  listing: {
    isColumn: true,
    isCounted: true,
    options: [
      {
        name: "domain",
        argument: "<id>",
        description: "in this domain",
        entityTypes: ["domain"],
        isGrouping: true,
        textsOf: textsOfReference,
      },
    ],
  },
  searchField: "domains",
  storedIn: () => "domains",
  aspects: () => ["domains"],
  observe: (aspects) => storedDomains(aspectIn(aspects, "domains")),
  requests: ({ urn, after }) => {
    const entityUrn = { name: "entityUrn", type: "String!", value: urn };
    if (after === null) return [{ type: "mutation", field: "unsetDomain", args: [entityUrn] }];
    const domainUrn = { name: "domainUrn", type: "String!", value: after };
    return [{ type: "mutation", field: "setDomain", args: [entityUrn, domainUrn] }];
  },
  editing: {
    aspect: () => "domains",
    edits: ({ after }) => [
      { at: ["domains"], remove: "all", add: after === null ? [] : [{ element: after }], keys },
      {
        at: ["domainAssociations"],
        remove: "all",
        add: after === null ? [] : [{ element: { domain: after } }],
        attribution: fieldOf("domain-attribution"),
        keys,
        // Servers without attribution do not have this list. Newer servers would otherwise add its entries themselves, but
        // without attribution (DomainsSyncMutationHook.java).
        isForAttribution: true,
      },
    ],
  },
});

/** The keys for patches. Elements need no keys, because each edit replaces the entire list. */
const keys = { template: [] };

/**
 * Reads the domains in the aspect. Only the first domain counts: the first association, or else the first entry in `domains`.
 * Throws `CatalogError` if the aspect is malformed, because a malformed aspect does not mean "no domain".
 */
function storedDomains({ domains, domainAssociations }: JsonObject): readonly string[] {
  const associated = listOf(domainAssociations).map((entry) =>
    isJsonObject(entry) ? entry["domain"] : undefined,
  );
  const urns = [...associated, ...listOf(domains)].map((urn) => answeredUrn({ urn }, "a domain"));
  return [...new Set(urns)];
}

// Returns a list; empty if it is missing or `null`, because DataHub can store an empty list in either form.
function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (isJsonList(value)) return value;
  throw malformed("the domains", "are not a list");
}
