/** Reads a saved plan, and rejects a plan that was edited or does not match the schema. */

import { Ajv } from "ajv";
import { parsePlaces } from "./place-json.ts";
import { facetNamed } from "../../facets/index.ts";
import { keysOf } from "../../facets/places.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Plan } from "../../model/plan.ts";
import type { SavedProblem } from "../../model/problem.ts";
import type { FromSchema } from "../../model/schema-type.ts";
import { errorMessage } from "../../model/text/error-text.ts";
import { digestOf, isSealValid } from "../../plan/base/hash.ts";
import { type PlanJson, planSchema, type ProblemJson } from "./plan-schema.ts";

/** The reason why a string is not the expected document. */
export interface SavedFault {
  readonly fault: "empty" | "no-json" | "foreign" | "other-version" | "invalid" | "edited";
  /** The message from the JSON parser or the schema check. */
  readonly detail?: string;
  /** The format version in the string, as JSON. `supported` is the version that this program can read. */
  readonly found?: string;
  readonly supported?: string;
}

/**
 * Parses a string as a JSON object, and returns the object if it has `key` and the format version `version`. Otherwise, returns
 * the fault.
 */
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

// The validator is created on first use. It compiles each schema only once.
let validator: Ajv | undefined;

/** Returns the value if it matches a schema. Otherwise, returns the first violation. */
export function fitting<const Schema extends JsonObject>(
  schema: Schema,
  value: JsonObject,
): { readonly value: FromSchema<Schema> } | SavedFault {
  const ajv = (validator ??= new Ajv({ strict: false }));
  if (ajv.validate<FromSchema<Schema>>(schema, value)) return { value };
  const [error] = ajv.errors ?? [];
  return { fault: "invalid", detail: `${error?.instancePath ?? ""} ${error?.message ?? ""}` };
}

/** Reads a plan from JSON. Returns a fault if the plan was edited. */
export function parsePlan(printed: JsonObject): { readonly plan: Plan } | SavedFault {
  if (printed["changes"] === undefined) return { fault: "foreign" };
  const read = fitting(planSchema, printed);
  return "fault" in read ? read : planIn(read.value);
}

/** Converts a plan that matches the schema. Returns a fault if the plan was edited. */
export function planIn(printed: PlanJson): { readonly plan: Plan } | SavedFault {
  if (!isSealValid(printed)) return { fault: "edited" };
  const { problems, seal: _, ...saved } = printed;
  const plan = parsePlaces(saved);
  if (!plan || digestOf(plan) !== plan.digest) return { fault: "edited" };
  const mismatch = plan.changes.findIndex((change) => !fitsItsFacet(change));
  if (mismatch >= 0) return { fault: "invalid", detail: `/changes/${mismatch} does not match its facet` };
  // Older plans have no `heldBack`. They include conflicts in their other counts.
  const summary = { ...plan.summary, heldBack: plan.summary.heldBack ?? 0 };
  return { plan: { ...plan, summary, ...(problems && { problems: problems.map(savedProblem) }) } };
}

/** Whether a change's kind, shape and path match its facet. The schema only checks each of them separately. */
function fitsItsFacet(change: Change): boolean {
  if (!isFacetChange(change)) return true;
  const { kinds, [change.shape]: writes } = facetNamed(change.facet);
  const isPlace = (change.path ?? []).length === keysOf(change.facet).length;
  return writes !== undefined && isPlace && kinds.some((kind) => kind === change.kind);
}

/**
 * Converts a problem back from JSON. Uses the saved source line instead of reading a file, because a plan may contain any file
 * path.
 */
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
}: ProblemJson): SavedProblem {
  const origin =
    file !== undefined && line !== undefined && column !== undefined ? { file, line, column } : undefined;
  return { code, severity, args, message, source, ...(origin && { origin }), ...(related && { related }) };
}
