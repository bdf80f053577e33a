import type { AspectReader } from "../../store/aspect-reader.ts";
import { ancestorsOf } from "../../store/tree.ts";
import type { EntityField } from "./field.ts";
import { entitySource } from "./source.ts";

// DataHub's limit for a chain of parents (application.yaml, graphQL.query).
const maxParents = 50;

/**
 * A field with the chain of parents, nearest first, such as GraphQL's ParentDomainsResult: their number, and themselves under
 * `list`. The first parent is read from `aspect`.
 */
export function parentsField(aspect: string, list: string): EntityField {
  return {
    aspects: () => [aspect],
    read(urn: string, reader: AspectReader) {
      const chain = ancestorsOf(urn, reader).slice(0, maxParents);
      return { count: chain.length, [list]: chain.map(entitySource) };
    },
  };
}
