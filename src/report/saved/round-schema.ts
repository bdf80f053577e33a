/** The JSON Schema of a round of `watch`. */

import { roundFields } from "../../model/round.ts";
import { schemaHead } from "../../model/schema-head.ts";
import { record } from "../../model/schema-parts.ts";
import { formatVersion } from "./schema-parts.ts";

const [always, perhaps] = roundFields;

/** The schema of the line that `watch --format json` prints for each round. */
export const roundSchema = {
  ...schemaHead("round", "A round of `datahub-gitops watch`"),
  ...record({ formatVersion, ...always }, perhaps),
} as const;
