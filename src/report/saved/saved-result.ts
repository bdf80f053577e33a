/** Reads JSON written by `plan --report` or `drift --report`. */

import type { Plan } from "../../model/plan.ts";
import type { SavedProblem } from "../../model/problem.ts";
import type { Failure } from "../document/document.ts";
import { fitting, parseObject, parsePlan, savedProblem, type SavedFault } from "./saved-plan.ts";
import { failureSchema } from "./report-schema.ts";

/** A plan, or the reason why there is no plan. */
export type SavedResult =
  | { readonly plan: Plan }
  | { readonly problems: readonly SavedProblem[] }
  | { readonly failure: Failure };

/** Parses a result. Returns a fault if its plan was edited. */
export function parseResult(text: string): SavedResult | SavedFault {
  const read = parseObject(text);
  if ("fault" in read) return read;
  const { value } = read;
  if (value["changes"] !== undefined) return parsePlan(value);
  if (value["problems"] === undefined && value["error"] === undefined) return { fault: "foreign" };
  const fitted = fitting(failureSchema, value);
  if ("fault" in fitted) return fitted;
  const { value: printed } = fitted;
  return "error" in printed ? { failure: printed.error } : { problems: printed.problems.map(savedProblem) };
}
