/** The result of one round of `watch`. */

import { count, fields, position, record, text } from "./schema-parts.ts";
import type { FromSchema } from "./schema-type.ts";

/** The fields of a round that are always there, and those that may be. */
export const roundFields = [
  {
    // From 1.
    round: position,
    // The start, in ISO 8601.
    at: text,
    // `differs` counts the changes that others made to declared values; in a round that corrects, the changes in its plan.
    // `applied` counts the applied operations, and `held` the skipped and stale ones; for a refused plan, its changes.
    ...fields(count, "exitCode", "differs", "applied", "held"),
  },
  {
    // The name of the stored run, if the round wrote something.
    run: text,
    // The reason why the round failed, or why its work tree could not follow the upstream.
    error: record(fields(text, "code", "message")),
  },
] as const;

const round = record(...roundFields);

/** The numbers of a round, in the JSON form that `watch` prints. */
export type Round = FromSchema<typeof round>;
