/** Defines the result of a `watch` round. */

import { count, fields, position, record, text } from "./schema-parts.ts";
import type { FromSchema } from "./schema-type.ts";

/** The required and the optional fields of a round, in this order. */
export const roundFields = [
  {
    // The number of the round, counted from 1.
    round: position,
    // The start time, in ISO 8601.
    at: text,
    // `differs` counts changes by others to declared values or, in a round that corrects drift, the changes in the round's plan.
    // `applied` counts applied operations. `held` counts skipped and stale operations, or all changes if the plan is refused.
    ...fields(count, "exitCode", "differs", "applied", "held"),
  },
  {
    // The name of the stored run, if the round wrote something.
    run: text,
    // The reason why the round failed, or why its work tree could not be updated from the upstream branch.
    error: record(fields(text, "code", "message")),
  },
] as const;

const round = record(...roundFields);

/** The result of a round, in the JSON format that `watch` prints. */
export type Round = FromSchema<typeof round>;
