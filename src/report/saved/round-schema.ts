/** Defines the JSON Schema for a `watch` round. */

import { roundFields } from "../../model/round.ts";
import { schemaHead } from "../../model/schema-head.ts";
import { record } from "../../model/schema-parts.ts";
import { formatVersion } from "./schema-parts.ts";

const [always, perhaps] = roundFields;

/** The schema for the line that `watch --format json` prints after each round. */
export const roundSchema = {
  ...schemaHead("round", "A round of `datahub-gitops watch`"),
  ...record({ formatVersion, ...always }, perhaps),
} as const;
