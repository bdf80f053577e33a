/** Defines the result of one `watch` round. */

import { count, fields, position, record, text } from "./schema-parts.ts";
import type { FromSchema } from "./schema-type.ts";

/** The required and the optional fields of a round. */
export const roundFields = [
  {
    // The number of the round, counted from 1.
    round: position,
    // The start time, in ISO 8601.
    at: text,
    // `differs` counts the changes that others made to declared values; in a round that corrects, its plan's changes.
    // `applied` counts applied operations, and `held` skipped and stale ones; for a refused plan, its changes.
    ...fields(count, "exitCode", "differs", "applied", "held"),
  },
  {
    // The stored run's name, if the round wrote something.
    run: text,
    // The reason why the round failed, or why its work tree could not follow the upstream.
    error: record(fields(text, "code", "message")),
  },
] as const;

const round = record(...roundFields);

/** A round's numbers, in the JSON that `watch` prints. */
export type Round = FromSchema<typeof round>;
