import type { ListedEntity, ListFilter } from "../../../src/model/listing.ts";
import type { FacetValue } from "../../../src/model/state.ts";
import { datasetNamed } from "../../support/states.ts";

/** A table as `list` shows it, which nobody declares. */
export function listed(
  facets: Readonly<Record<string, FacetValue>> = {},
  more: Partial<ListedEntity> = {},
): ListedEntity {
  return {
    urn: datasetNamed("orders"),
    kind: "Dataset",
    name: "orders",
    facets: new Map(Object.entries(facets)),
    violates: [],
    declaredBy: { documents: false, rules: false },
    ...more,
  };
}

/** A filter that all entities fit, but for what is given. */
export function filterOf(more: Partial<ListFilter> = {}): ListFilter {
  return { conditions: [], values: new Map(), missing: [], ...more };
}
