/** Defines the GraphQL fields for data products. */

import { objectsAt, stringAt } from "../../json.ts";
import { termsValue } from "./association-values.ts";
import { aspectField, type EntityFields } from "./field.ts";
import { customProperties, stringFields } from "./property-values.ts";
import { definition, deprecatable, inDomain, keyFields, linked, owned, tagged } from "./shared-fields.ts";
import { urnKey } from "./source.ts";
import { withProperties } from "./structured-properties.ts";

/** Data product fields, keyed by GraphQL type name (DataProductMapper.java). */
export const dataProductFields: Readonly<Record<string, EntityFields>> = {
  DataProduct: {
    ...keyFields("dataProduct"),
    ...owned,
    ...inDomain,
    ...tagged,
    ...linked,
    ...deprecatable,
    ...withProperties,
    ...definition,
    glossaryTerms: aspectField("glossaryTerms", termsValue),
    properties: aspectField("dataProductProperties", (value, urn) => ({
      ...stringFields(value, ["description", "externalUrl"]),
      name: stringAt(value, "name") ?? urnKey(urn),
      numAssets: objectsAt(value, "assets").length,
      customProperties: customProperties(value, urn),
    })),
  },
};
