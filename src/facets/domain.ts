import { nonEmptyString } from "../model/identifier.ts";
import { answeredUrn } from "./answer.ts";
import { attributionIn } from "./attribution.ts";
import { referenceTo, scalarFacet } from "./build.ts";

interface Selected {
  readonly domain?: { readonly domain?: { readonly urn?: string } | null } | null;
}

/** The one domain of an asset. DataHub can store several; its GraphQL reads the first and writes exactly one. */
export const domain = scalarFacet<Selected>({
  name: "domain",
  kinds: ["Dataset", "Container"],
  schema: { ...nonEmptyString, description: "The id or URN of its domain; `none` for no domain." },
  ...referenceTo("domain"),
  storedIn: {
    aspect: () => "domains",
    attribution: ({ domainAssociations: list }, urn) =>
      attributionIn(list, (entry) => entry["domain"] === urn),
  },
  selection: () => "domain { domain { urn } }",
  observe: (entity) => (entity.domain ? answeredUrn(entity.domain.domain, "its domain") : null),
  requests: ({ urn, after }) => {
    const entityUrn = { name: "entityUrn", type: "String!", value: urn };
    if (after === null) return [{ type: "mutation", field: "unsetDomain", args: [entityUrn] }];
    const domainUrn = { name: "domainUrn", type: "String!", value: after };
    return [{ type: "mutation", field: "setDomain", args: [entityUrn, domainUrn] }];
  },
});
