/** Reads the JSON that `plan --report` or `drift --report` wrote. */

import type { Plan } from "../../model/plan.ts";
import type { SavedProblem } from "../../model/problem.ts";
import type { Failure } from "../document/document.ts";
import {
  schemaFault,
  parseObject,
  parsePlan,
  type PrintedProblem,
  savedProblem,
  type SavedFault,
} from "./saved-plan.ts";
import { failureSchema } from "./report-schema.ts";

/** A plan, or the reason why there is none. */
export type SavedResult =
  | { readonly plan: Plan }
  | { readonly problems: readonly SavedProblem[] }
  | { readonly failure: Failure };

/** The result in a text. A plan that was edited since it was made is a fault. */
export function parseResult(text: string): SavedResult | SavedFault {
  const read = parseObject(text);
  if ("fault" in read) return read;
  const { value } = read;
  if (value["changes"] !== undefined) return parsePlan(value);
  if (value["problems"] === undefined && value["error"] === undefined) return { fault: "foreign" };
  const invalid = schemaFault(failureSchema, value);
  if (invalid) return invalid;
  // The schema has checked it.
  const { problems = [], error } = value as unknown as SavedFailure;
  return error ? { failure: error } : { problems: problems.map(savedProblem) };
}

/** A failure as its schema allows it. */
interface SavedFailure {
  readonly problems?: readonly PrintedProblem[];
  readonly error?: Failure;
}
