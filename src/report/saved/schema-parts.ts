/** Defines common parts for the JSON Schemas of plans, reports and rounds, such as the names of kinds and facets. */

import { plannedFacets } from "../../facets/index.ts";
import { kinds } from "../../kinds/index.ts";
import { described, keys } from "../../model/schema-parts.ts";
import type { SchemaOf } from "../../model/schema-type.ts";
import type { KindName } from "../../model/state.ts";

export const formatVersion = { const: "1" } as const;
export const kind: SchemaOf<KindName> = { enum: kinds.map(({ name }) => name) };
export const facet: SchemaOf<string> = { enum: plannedFacets.map(({ name }) => name) };
export const path = described(
  keys,
  "The key path from the field to the value. Absent if `column` already identifies the value.",
);
