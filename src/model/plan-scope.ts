/** Defines the scope of a plan: its directory, its selection, and the undeclared values that it keeps. */

import type { JsonObject } from "./json.ts";
import type { Place } from "./place.ts";
import { count, fields, list, record, text, urn } from "./schema-parts.ts";
import type { FromSchema, SchemaOf } from "./schema-type.ts";
import type { KindName, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/**
 * A value that a prune cannot remove, because the asset is soft-deleted or the column is no longer in the schema. `value` is
 * absent if the asset could not be read.
 */
export interface DormantValue extends Partial<Place> {
  readonly urn: Urn;
  readonly value?: Member | Scalar;
}

/** Returns the schema for a scope, given the schemas for kinds and dormant values. */
export function scopeSchema<const Dormant extends JsonObject>(kind: SchemaOf<KindName>, dormant: Dormant) {
  return record(
    // The path relative to the working directory, with `/` as the separator.
    { directory: text },
    {
      ...fields(text, "environment", "ref"),
      targets: list(text),
      excluded: list(text),
      kinds: list(kind),
      platforms: list(text),
      domains: list(urn),
      // The ids of the selected rules.
      rules: list(text),
      changedSince: text,
      // Entities and values that a prune would remove, but that the plan keeps. `values` is the number of values on entities that
      // are kept. `away` lists the values that will reappear when soft-deleted assets are restored, or when columns return to the
      // schema.
      left: record({ entities: list(urn), values: count }, { away: list(dormant) }),
    },
  );
}

/** The scope of a plan: its directory, environment, base ref, and selection. */
export type PlanScope = FromSchema<ReturnType<typeof scopeSchema<SchemaOf<DormantValue>>>>;

/** Entities and values that were declared before but are no longer declared, and that the plan keeps. */
export type Leftovers = NonNullable<PlanScope["left"]>;
