/** Defines the GraphQL fields for glossary terms and nodes, and the filter for a node's children. */

import type { JsonObject } from "../../../model/json.ts";
import { stringAt } from "../../json.ts";
import { find } from "../../search/find.ts";
import { aspectField, plainField, type EntityField, type EntityFields } from "./field.ts";
import { customProperties, stringFields } from "./property-values.ts";
import { common, deprecatable, inDomain, keyFields, linked, owned, parentsField } from "./shared-fields.ts";
import { withProperties } from "./structured-properties.ts";
import { urnKey } from "./source.ts";

// Returns the last segment of the id. The id of an older term is the term's path, which ends with the name
// (GlossaryTermUtils.java).
function nameInUrn(urn: string): string {
  const key = urnKey(urn);
  return key.slice(key.lastIndexOf(".") + 1);
}

/** Converts a `glossaryTermInfo` aspect to GraphQL's GlossaryTermProperties and GlossaryTermInfo. */
function termValue(info: JsonObject, urn: string): object {
  return {
    ...stringFields(info, ["definition", "termSource", "sourceRef", "sourceUrl"]),
    name: stringAt(info, "name") ?? nameInUrn(urn),
    description: stringAt(info, "definition"),
    customProperties: customProperties(info, urn),
  };
}

const childrenCount: EntityField = {
  isIndexed: true,
  aspects: () => [],
  read(urn, index) {
    const below = (type: string): number => find({ types: [type], filters: [isChildOf(urn)] }, index).length;
    return { termsCount: below("glossaryTerm"), nodesCount: below("glossaryNode") };
  },
};

/** Returns a filter that matches the terms and nodes directly under a node. */
export function isChildOf(node: string): { readonly field: string; readonly values: readonly string[] } {
  return { field: "parentNode", values: [node] };
}

/** Fields for terms and nodes, keyed by GraphQL type name (types/glossary/mappers). */
export const glossaryFields: Readonly<Record<string, EntityFields>> = {
  GlossaryTerm: {
    ...owned,
    ...inDomain,
    ...linked,
    ...withProperties,
    ...deprecatable,
    ...common,
    ...keyFields("glossaryTerm"),
    name: plainField(nameInUrn),
    hierarchicalName: plainField(urnKey),
    properties: aspectField("glossaryTermInfo", termValue),
    glossaryTermInfo: aspectField("glossaryTermInfo", termValue),
    parentNodes: parentsField("glossaryTermInfo", "nodes"),
  },
  GlossaryNode: {
    ...owned,
    ...inDomain,
    ...linked,
    ...withProperties,
    ...common,
    ...keyFields("glossaryNode"),
    // This field is never null, because DataHub can derive the name from the key (GlossaryNodeMapper.mapGlossaryNodeKey).
    properties: {
      aspects: () => ["glossaryNodeInfo"],
      read(urn, reader) {
        const info = reader.aspect(urn, "glossaryNodeInfo");
        return {
          name: stringAt(info, "name") ?? urnKey(urn),
          description: stringAt(info, "definition"),
          customProperties: info && customProperties(info, urn),
        };
      },
    },
    parentNodes: parentsField("glossaryNodeInfo", "nodes"),
    childrenCount,
  },
};
