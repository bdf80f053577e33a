/** Defines the counts that describe rules' effects in a plan. */

import { count, described, fields, keys, list, record, scalar, text } from "./schema-parts.ts";
import type { FromSchema, SchemaOf } from "./schema-type.ts";
import type { KindName } from "./state.ts";

function valueCountSchema(facet: SchemaOf<string>) {
  return record(
    // The value is a set's element, or a single value; `null` if the rule declares an empty set or unsets the
    // value. `on` counts the assets that get it: for a facet of columns, those with a matching column. `new`
    // counts the assets among them on which the plan adds or sets it. `overruled` counts the assets with
    // another value: from one of their documents, or from a rule with a higher priority.
    { facet, value: scalar, ...fields(count, "on", "new", "overruled") },
    { path: described(keys, "The keys that lead from the field to the value, without the column.") },
  );
}

/** The number of planned assets on which a rule gives one value at a place; for columns, at that place below any column. */
export type ValueCount = FromSchema<ReturnType<typeof valueCountSchema>>;

/** Returns the schema for a rule's effect. */
export function ruleCountSchema(kind: SchemaOf<KindName>, facet: SchemaOf<string>) {
  return record(
    {
      id: text,
      // The assets' kind.
      kind,
      // The assets that match in the complete catalog, without those whose documents leave the rule out;
      // those that match in the selection; and those on which the rule's values change.
      ...fields(count, "matched", "matchedInPart", "changed"),
      // The declared values, in order; for columns, the values for any column.
      values: list(valueCountSchema(facet)),
    },
    // Whether the numbers are lower limits, because assets that may match could not be read.
    { incomplete: { const: true } },
  );
}

/** A rule's effect in a plan. All numbers except `matched` count planned assets, which may be only some of the catalog. */
export type RuleCount = FromSchema<ReturnType<typeof ruleCountSchema>>;
