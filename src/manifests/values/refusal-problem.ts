/** Builds the problem for a value that a facet rejected, including the position and a suggestion. */

import type { Refusal } from "../../facets/parsing.ts";
import { isJsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../base/problem.ts";
import { locate } from "../schema/schema-path.ts";
import { nearest } from "../../model/text/suggestion.ts";
import { originIn, type ParsedDocument, type PlacedValue } from "../yaml/parsed-document.ts";

/** Returns the position of a nested value, or of its nearest parent. */
export function originBelow(
  document: ParsedDocument,
  { value, place }: PlacedValue,
  at: readonly string[] = [],
): Origin {
  const below = isJsonObject(value) && locate({ document, value, start: place.value }, at)?.place;
  return originIn(document, (below || place).value);
}

/** Builds the problem for a rejected value, and suggests the name that the user probably meant. */
export function refusalProblem({ code, args, misspelt }: Refusal, origin: Origin, field: string): Problem {
  const { text = "", names = [] } = misspelt ?? {};
  const suggestion = nearest(text, names);
  // TypeScript cannot infer that the code and its arguments still match.
  return errorAt(origin, code, { ...args, field, suggestion }) as Problem;
}
