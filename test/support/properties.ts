import type { JsonObject } from "../../src/model/json.ts";
import type { MadeAspect } from "./catalog.ts";

/** The URN of a structured property. */
export const property = (id: string): string => `urn:li:structuredProperty:${id}`;

/** The definition of a structured property of datasets and columns. */
export const defined = (id: string, type: string, more: JsonObject = {}): MadeAspect => [
  property(id),
  "propertyDefinition",
  {
    qualifiedName: id,
    valueType: `urn:li:dataType:datahub.${type}`,
    entityTypes: ["dataset", "schemaField"].map((each) => `urn:li:entityType:datahub.${each}`),
    ...more,
  },
];
