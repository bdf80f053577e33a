import { nonEmptyString } from "../model/identifier.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { attributionIn } from "./attribution.ts";
import { referenceTo, scalarFacet } from "./build.ts";

/**
 * The one domain of an asset. DataHub can store several; its GraphQL reads the first and writes exactly one. It is read
 * from the raw aspect: GraphQL reads the associations only, and before 1.7 DataHub stored none (DomainAssociationMapper.java).
 */
export const domain = scalarFacet({
  name: "domain",
  kinds: ["Dataset", "Container"],
  schema: { ...nonEmptyString, description: "The id or URN of its domain; `none` for no domain." },
  ...referenceTo("domain"),
  storedIn: {
    aspect: () => "domains",
    attribution: ({ domainAssociations: list }, urn) =>
      attributionIn(list, (entry) => entry["domain"] === urn),
  },
  aspects: () => ["domains"],
  observe: ({ aspects }) => storedDomain(isJsonObject(aspects) ? aspects["domains"] : undefined),
  requests: ({ urn, after }) => {
    const entityUrn = { name: "entityUrn", type: "String!", value: urn };
    if (after === null) return [{ type: "mutation", field: "unsetDomain", args: [entityUrn] }];
    const domainUrn = { name: "domainUrn", type: "String!", value: after };
    return [{ type: "mutation", field: "setDomain", args: [entityUrn, domainUrn] }];
  },
});

/** The domain that counts in the aspect `domains`: that of the first association, else the first. */
function storedDomain(aspect: Json | undefined): string | null {
  const { domains, domainAssociations }: JsonObject = isJsonObject(aspect) ? aspect : {};
  const associated = listOf(domainAssociations).map((entry) =>
    isJsonObject(entry) ? entry["domain"] : undefined,
  );
  return [...associated, ...listOf(domains)].find((each) => typeof each === "string") ?? null;
}

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonList(value) ? value : [];
}
