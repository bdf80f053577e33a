/** Reads a saved plan, and refuses one that was edited or that does not match its schema. */

import { Ajv } from "ajv";
import { parsePlaces } from "./place-json.ts";
import { facetNamed } from "../../facets/index.ts";
import { keysOf } from "../../facets/places.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Plan, Summary } from "../../model/plan.ts";
import type { SavedProblem } from "../../model/problem.ts";
import { errorMessage } from "../../model/text/error-text.ts";
import { digestOf, isSealValid } from "../../plan/base/hash.ts";
import { planSchema } from "./plan-schema.ts";

/** The reason why a text is not the expected document. */
export interface SavedFault {
  readonly fault: "empty" | "no-json" | "foreign" | "other-version" | "invalid" | "edited";
  /** The message of the JSON parser or of the schema. */
  readonly detail?: string;
  /** The version of the text, as JSON, and the one that can be read. */
  readonly found?: string;
  readonly supported?: string;
}

/** The JSON object in a text, if it has `key` and the format version `version`. */
export function parseObject(
  text: string,
  version = "1",
  key = "formatVersion",
): { readonly value: JsonObject } | SavedFault {
  if (text.trim() === "") return { fault: "empty" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: "no-json", detail: errorMessage(error) };
  }
  if (!isJsonObject(value) || value[key] === undefined) return { fault: "foreign" };
  const { formatVersion = null } = value;
  if (formatVersion === version) return { value };
  return { fault: "other-version", found: JSON.stringify(formatVersion), supported: version };
}

// Created on first use. It compiles each schema only once.
let validator: Ajv | undefined;

/** The first violation of a schema by a value, if there is one. */
export function schemaFault(schema: JsonObject, value: unknown): SavedFault | undefined {
  const ajv = (validator ??= new Ajv({ strict: false }));
  if (ajv.validate(schema, value)) return undefined;
  const [error] = ajv.errors ?? [];
  return { fault: "invalid", detail: `${error?.instancePath ?? ""} ${error?.message ?? ""}` };
}

/** A plan from its JSON form. A plan that was edited since it was made is a fault. */
export function parsePlan(value: JsonObject): { readonly plan: Plan } | SavedFault {
  if (value["changes"] === undefined) return { fault: "foreign" };
  const invalid = schemaFault(planSchema, value);
  if (invalid) return invalid;
  if (!isSealValid(value)) return { fault: "edited" };
  // The schema has checked it.
  const { problems, seal: _, ...saved } = value as unknown as SavedPlan;
  const plan = parsePlaces(saved);
  if (!plan || digestOf(plan) !== plan.digest) return { fault: "edited" };
  const mismatch = plan.changes.findIndex((change) => !fitsItsFacet(change));
  if (mismatch >= 0) return { fault: "invalid", detail: `/changes/${mismatch} is not a change of its facet` };
  // Older plans have no `heldBack`. They count conflicts in the other numbers.
  const summary = { ...plan.summary, heldBack: plan.summary.heldBack ?? 0 };
  return { plan: { ...plan, summary, ...(problems && { problems: problems.map(savedProblem) }) } };
}

/** Whether kind, shape and path of a change match its facet. The schema checks each only by itself. */
function fitsItsFacet(change: Change): boolean {
  if (!isFacetChange(change)) return true;
  const { kinds, [change.shape]: writes } = facetNamed(change.facet);
  const isPlace = (change.path ?? []).length === keysOf(change.facet).length;
  return writes !== undefined && isPlace && kinds.some((kind) => kind === change.kind);
}

/** A plan as its schema allows it. */
type SavedPlan = Omit<Plan, "problems" | "summary"> & {
  readonly summary: Omit<Summary, "heldBack"> & Partial<Summary>;
  readonly problems?: readonly PrintedProblem[];
  readonly seal: string;
};

/** A problem in its JSON form. */
export type PrintedProblem = Omit<SavedProblem, "origin" | "source"> & Partial<SavedProblem & Origin>;

/** A problem as before printing. Its line is the saved one: a plan may name any file, so no file is read. */
export function savedProblem({
  code,
  severity,
  args,
  message,
  related,
  file,
  line,
  column,
  source = "",
}: PrintedProblem): SavedProblem {
  const origin =
    file !== undefined && line !== undefined && column !== undefined ? { file, line, column } : undefined;
  return { code, severity, args, message, source, ...(origin && { origin }), ...(related && { related }) };
}
