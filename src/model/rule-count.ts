/** Defines the counts that describe the effects of rules in a plan. */

import { count, described, fields, keys, list, record, scalar, text } from "./schema-parts.ts";
import type { FromSchema, SchemaOf } from "./schema-type.ts";
import type { KindName } from "./state.ts";

function valueCountSchema(facet: SchemaOf<string>) {
  return record(
    // `value` is a single value or an element of a set; it is `null` if the rule declares an empty set or unsets the value. `on`
    // is the number of assets that get the value, either directly or, for a column facet, on a matching column. `new` is the
    // number of these assets for which the plan adds or sets the value. `overruled` is the number of assets that get a different
    // value from a document or from a rule with a higher priority.
    { facet, value: scalar, ...fields(count, "on", "new", "overruled") },
    { path: described(keys, "The key path from the field to the value, without the column.") },
  );
}

/**
 * The number of planned assets for which a rule declares a particular value at a place. For a column facet, the place does not
 * include the column.
 */
export type ValueCount = FromSchema<ReturnType<typeof valueCountSchema>>;

/** Returns the schema for the effect of a rule. */
export function ruleCountSchema(kind: SchemaOf<KindName>, facet: SchemaOf<string>) {
  return record(
    {
      id: text,
      kind,
      // `matched` is the number of matching assets in the entire catalog, excluding those whose documents exempt them from the
      // rule. `matchedInPart` is the number of matching assets in the selection. `changed` is the number of assets on which
      // values of the rule change.
      ...fields(count, "matched", "matchedInPart", "changed"),
      // The declared values, in order. Values for columns are counted across all columns.
      values: list(valueCountSchema(facet)),
    },
    // Whether the numbers are lower bounds because assets that may match could not be read.
    { incomplete: { const: true } },
  );
}

/**
 * The effect of a rule in a plan. All numbers except `matched` include only planned assets, which may be only a part of the
 * catalog.
 */
export type RuleCount = FromSchema<ReturnType<typeof ruleCountSchema>>;
