/** Defines the JSON Schemas for reports and failures. A command prints a failure if it has no result. */

import { referencesLeftSchema, runSchema, valuesSchema } from "../../model/report.ts";
import { schemaHead } from "../../model/schema-head.ts";
import {
  count,
  described,
  fields,
  list,
  object,
  record,
  sha256,
  text,
  urn,
} from "../../model/schema-parts.ts";
import type { FromSchema } from "../../model/schema-type.ts";
import { plan, planTitle, problem } from "./plan-schema.ts";
import { facet, formatVersion } from "./schema-parts.ts";

const outcome = record(
  { status: { enum: ["applied", "failed", "skipped", "stale"] }, urn, operation: text },
  {
    facet,
    facets: list(facet),
    columns: list(text),
    column: text,
    paths: described(
      list(list(text)),
      "The key path from each field to its value. Absent if `columns` already identifies the values.",
    ),
    removes: valuesSchema,
    elements: described(
      valuesSchema,
      "The elements that the operation should have added or removed, if it was not applied.",
    ),
    stored: described(
      { type: ["array", "null"], items: object },
      "Removed elements in their stored form, if manifests cannot fully express them (`null` if longer than 100,000 characters).",
    ),
    ...fields(text, "error", "because"),
    ...fields(valuesSchema, "expected", "found"),
  },
);

/** An outcome in JSON. */
export type OutcomeJson = FromSchema<typeof outcome>;

/** The schema for reports printed by `apply --format json`. */
export const reportSchema = {
  ...schemaHead("report", "A datahub-gitops report: a plan and the outcomes of its operations"),
  ...record(
    {
      formatVersion,
      plan: { title: planTitle, ...plan },
      outcomes: list(outcome),
      summary: record(fields(count, "applied", "failed", "skipped", "stale")),
      seal: sha256,
    },
    { run: runSchema, unproved: text, referencesLeft: list(referencesLeftSchema) },
  ),
} as const;

/** A report in JSON. */
export type ReportJson = FromSchema<typeof reportSchema>;

/** The schema for the output of `--format json` and `--report` if there is no plan or report. */
export const failureSchema = {
  ...schemaHead(
    "failure",
    "The reason why a datahub-gitops command produced no result: an error, or problems in manifests or settings",
  ),
  oneOf: [
    record({ formatVersion, error: record(fields(text, "code", "message")) }),
    record({ formatVersion, problems: list(problem) }),
  ],
} as const;

/** A failure in JSON. */
export type FailureJson = FromSchema<typeof failureSchema>;
