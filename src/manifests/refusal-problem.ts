import type { Refusal } from "../facets/facet.ts";
import { isJsonObject, type Json } from "../model/json.ts";
import type { Origin } from "../model/origin.ts";
import type { Problem } from "../model/problem.ts";
import { errorAt } from "./problem.ts";
import { closest } from "../text/suggestion.ts";
import { originIn, type Place, placesIn, type Written } from "./yaml/written.ts";

/** The problem of a refused value, at the part of it that is wrong. */
export function refusedAt(
  written: Written,
  value: Json,
  place: Place,
  refusal: Refusal,
  field: string,
): Problem {
  let at = place;
  let current: Json | undefined = value;
  for (const key of refusal.at) {
    if (!isJsonObject(current)) break;
    at = placesIn(written, current).get(key) ?? at;
    current = current[key];
  }
  return refusalProblem(refusal, originIn(written, at.value), field);
}

/** The problem of a refusal, with what was probably meant. */
export function refusalProblem({ code, args, misspelt }: Refusal, origin: Origin, field: string): Problem {
  const suggestion = misspelt && closest(misspelt.text, misspelt.names);
  // TypeScript does not see that the code and the arguments still belong together.
  return errorAt(origin, code, { ...args, field, suggestion }) as Problem;
}
