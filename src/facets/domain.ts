import { assetKinds } from "../kinds/index.ts";
import { referenceSchema } from "../model/identifier.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { answeredUrn, malformed, rawAspect } from "./answer.ts";
import { attributionIn } from "./attribution.ts";
import { referenceTo, scalarFacet, textsOfReference } from "./build.ts";
import { fieldOf } from "./capabilities.ts";

/**
 * The one domain of an asset. DataHub can store several; its GraphQL reads the first and writes exactly one. It is read
 * from the raw aspect: GraphQL reads the associations only, and before 1.7 DataHub stored none (DomainAssociationMapper.java).
 */
export const domain = scalarFacet({
  name: "domain",
  kinds: [...assetKinds.map(({ name }) => name), "GlossaryTerm", "DataProduct"],
  schema: {
    ...referenceSchema("domain"),
    description: "The id or URN of its domain; `none` for no domain.",
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
        description: "in a domain",
        entityTypes: ["domain"],
        isGrouping: true,
        textsOf: textsOfReference,
      },
    ],
  },
  searchField: "domains",
  storedIn: {
    aspect: () => "domains",
    attribution: ({ domainAssociations: list }, urn) =>
      attributionIn(list, (entry) => entry["domain"] === urn),
  },
  aspects: () => ["domains"],
  observe: (entity) => storedDomains(rawAspect(entity, "domains")),
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
        // Servers that keep none do not know the list; the others would fill it without one (DomainsSyncMutationHook.java).
        isForAttribution: true,
      },
    ],
  },
});

/** Both lists are replaced. */
const keys = { template: [] };

/**
 * The domains in the aspect `domains`, with the one that counts first: that of the first association, else the first.
 * Throws `CatalogError` when the aspect is malformed, because that does not mean "no domain".
 */
function storedDomains({ domains, domainAssociations }: JsonObject): readonly string[] {
  const associated = listOf(domainAssociations).map((entry) =>
    isJsonObject(entry) ? entry["domain"] : undefined,
  );
  const urns = [...associated, ...listOf(domains)].map((urn) => answeredUrn({ urn }, "its domain"));
  return [...new Set(urns)];
}

// DataHub leaves an empty list out, or stores null.
function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (isJsonList(value)) return value;
  throw malformed("its domains", "are not a list");
}
