import { Ajv } from "ajv";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Origin } from "../model/origin.ts";
import type { Plan } from "../model/plan.ts";
import type { SavedProblem } from "../model/problem.ts";
import { digestOf } from "../plan/plan.ts";
import { errorMessage } from "../text/error-text.ts";
import { planSchema } from "./schema.ts";

/** Why a text is not a plan that can be used. */
export interface SavedPlanFault {
  readonly fault: "empty" | "no-json" | "no-plan" | "other-version" | "invalid" | "edited";
  /** What the JSON parser or the schema says. */
  readonly detail?: string;
  /** The other version, as JSON. */
  readonly found?: string;
}

/** Reads a plan in its JSON form. A plan of another version, or one that was edited since it was made, is a fault. */
export function parsePlan(text: string): { readonly plan: Plan } | SavedPlanFault {
  if (text.trim() === "") return { fault: "empty" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: "no-json", detail: errorMessage(error) };
  }
  return isJsonObject(value) ? planIn(value) : { fault: "no-plan" };
}

function planIn(value: JsonObject): { readonly plan: Plan } | SavedPlanFault {
  const { formatVersion } = value;
  if (formatVersion === undefined || value["changes"] === undefined) return { fault: "no-plan" };
  if (formatVersion !== "1") return { fault: "other-version", found: JSON.stringify(formatVersion) };
  const ajv = new Ajv({ strict: false });
  if (!ajv.validate<SavedPlan>(planSchema, value)) {
    const [error] = ajv.errors ?? [];
    return { fault: "invalid", detail: `${error?.instancePath ?? ""} ${error?.message ?? ""}` };
  }
  const { problems, ...plan } = value;
  if (digestOf(plan) !== plan.digest) return { fault: "edited" };
  return { plan: { ...plan, ...(problems && { problems: problems.map(problemOf) }) } };
}

/** A plan as its schema lets it be written. */
type SavedPlan = Omit<Plan, "problems"> & { readonly problems?: readonly PrintedProblem[] };

type PrintedProblem = Omit<SavedProblem, "origin" | "source"> & Partial<SavedProblem & Origin>;

/** A problem as it was before it was printed into the plan, with its line: a plan may name any file of this machine. */
function problemOf({
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
