import { textSchema, urnOfId } from "../kinds/kind.ts";
import { isSetChange } from "../model/change.ts";
import { textOf } from "../model/json.ts";
import { scalarOf } from "../model/state.ts";
import { attributionIn } from "./attribution.ts";
import { type Facet, noAspects, refuseUrn, showPlain } from "./facet.ts";

interface Selected {
  readonly domain?: { readonly domain: { readonly urn: string } } | null;
}

/** The one domain of an asset. DataHub can store several; its GraphQL reads the first and writes exactly one. */
export const domain: Facet = {
  name: "domain",
  on: ["Dataset", "Container"],
  shape: "scalar",
  refersTo: ["domain"],
  schema: { ...textSchema, description: "The id or URN of its domain; `none` for no domain." },
  costly: false,
  aspects: noAspects,
  optionalFields: [],
  stored: {
    aspect: () => "domains",
    attribution: ({ domainAssociations: list }, urn) =>
      attributionIn(list, (entry) => entry["domain"] === urn),
  },
  selection: () => "domain { domain { urn } }",
  parse: (written) => {
    const text = textOf(written);
    const result = urnOfId("domain", text);
    if ("fault" in result) return refuseUrn(text, result.fault);
    return { value: result.urn, references: [{ urn: result.urn, entityType: "domain" }] };
  },
  show: showPlain,
  observe: (entity) => ({ value: scalarOf((entity as Selected).domain?.domain.urn ?? null) }),
  requests: (change) => {
    if (isSetChange(change)) return [];
    const entityUrn = { name: "entityUrn", type: "String!", value: change.urn };
    if (change.after === null) return [{ type: "mutation", field: "unsetDomain", args: [entityUrn] }];
    return [
      {
        type: "mutation",
        field: "setDomain",
        args: [entityUrn, { name: "domainUrn", type: "String!", value: change.after }],
      },
    ];
  },
};
