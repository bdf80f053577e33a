/** The JSON Schema of a round of `watch`. */

import type { JsonObject } from "../../model/json.ts";
import { schemaHead } from "../../model/schema-head.ts";
import { count, fields, formatVersion, position, record, text } from "./schema-parts.ts";

/** The schema of the line that `watch --format json` prints for each round. */
export const roundSchema: JsonObject = {
  ...schemaHead("round", "A round of datahub-gitops watch"),
  ...record(
    {
      formatVersion,
      round: position,
      at: text,
      ...fields(count, "exitCode", "differs", "applied", "held"),
    },
    { run: text, error: record(fields(text, "code", "message")) },
  ),
};
