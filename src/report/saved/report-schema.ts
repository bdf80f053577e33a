/** The JSON Schemas of reports, and of failures, which a command prints if it has no result. */

import type { JsonObject } from "../../model/json.ts";
import { schemaHead } from "../../model/schema-head.ts";
import { plan, planTitle, problem } from "./plan-schema.ts";
import {
  count,
  described,
  facet,
  fields,
  formatVersion,
  list,
  object,
  record,
  sha256,
  text,
  urn,
  values,
} from "./schema-parts.ts";

const outcome = record(
  { status: { enum: ["applied", "failed", "skipped", "stale"] }, urn, operation: text },
  {
    facet,
    facets: list(facet),
    columns: list(text),
    column: text,
    paths: described(list(list(text)), "The keys below each field, if there are more than `columns`."),
    removes: values,
    elements: described(
      values,
      "The elements that the operation should have added or removed, if it was not applied.",
    ),
    stored: described(
      { type: ["array", "null"], items: object },
      "Removed elements as they were stored, if manifests cannot fully express them (`null` if longer than 100,000 characters).",
    ),
    ...fields(text, "error", "because"),
    ...fields(values, "expected", "found"),
  },
);

const run = record(
  { ...fields(text, "startedAt", "endedAt"), exitCode: count },
  {
    approval: { enum: ["answer", "auto-approve", "saved-plan"] },
    approvedBy: record({ name: text, source: text }),
    stopped: text,
  },
);

/** The schema of a report as `apply --format json` prints it. */
export const reportSchema: JsonObject = {
  ...schemaHead("report", "A report of datahub-gitops: a plan and its outcomes"),
  ...record(
    {
      formatVersion,
      plan: { title: planTitle, ...plan },
      outcomes: list(outcome),
      summary: record(fields(count, "applied", "failed", "skipped", "stale")),
      seal: sha256,
    },
    { run, unproved: text, referencesLeft: list(record({ urn, count, from: list(urn) })) },
  ),
};

/** The schema of the output of `--format json` and `--report` if there is neither plan nor report. */
export const failureSchema: JsonObject = {
  ...schemaHead(
    "failure",
    "Why a command of datahub-gitops has no result: an error, or problems of manifests and settings",
  ),
  oneOf: [
    record({ formatVersion, error: record(fields(text, "code", "message")) }),
    record({ formatVersion, problems: list(problem) }),
  ],
};
