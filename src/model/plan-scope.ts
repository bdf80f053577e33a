/** Defines a plan's scope: its directory and selection, and the values that it leaves in the catalog. */

import type { JsonObject } from "./json.ts";
import type { Place } from "./place.ts";
import { count, fields, list, record, text, urn } from "./schema-parts.ts";
import type { FromSchema, SchemaOf } from "./schema-type.ts";
import type { KindName, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/**
 * A value that a prune cannot remove, on a soft-deleted asset or on a column that left the schema. Without
 * `value`, the asset could not be read.
 */
export interface DormantValue extends Partial<Place> {
  readonly urn: Urn;
  readonly value?: Member | Scalar;
}

/** Returns a scope's schema, based on the schema for a dormant value. */
export function scopeSchema<const Dormant extends JsonObject>(kind: SchemaOf<KindName>, dormant: Dormant) {
  return record(
    // The path relative to the working directory, with `/`.
    { directory: text },
    {
      ...fields(text, "environment", "ref"),
      targets: list(text),
      excluded: list(text),
      kinds: list(kind),
      platforms: list(text),
      domains: list(urn),
      // Ids of rules.
      rules: list(text),
      changedSince: text,
      // Entities and values that a prune would remove, but that the plan keeps. `values` counts values on kept entities. `away`
      // lists the values that soft-deleted assets, and columns that left the schema, bring back when they return.
      left: record({ entities: list(urn), values: count }, { away: list(dormant) }),
    },
  );
}

/** A plan's scope: its directory, environment, base ref, and selection. */
export type PlanScope = FromSchema<ReturnType<typeof scopeSchema<SchemaOf<DormantValue>>>>;

/** Entities and values that were declared before, are no longer declared, and stay. */
export type Leftovers = NonNullable<PlanScope["left"]>;
