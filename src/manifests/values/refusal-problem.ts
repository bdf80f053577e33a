/** Builds the problem for a value that a facet rejected, including the position and a suggestion. */

import type { Refusal } from "../../facets/parsing.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../base/problem.ts";
import { locate } from "../schema/schema-path.ts";
import { nearest } from "../../model/text/suggestion.ts";
import { originIn, type ParsedDocument, type SourcePlace } from "../yaml/parsed-document.ts";

/** A value in a document, and its position. */
interface WrittenValue {
  readonly document: ParsedDocument;
  readonly value: Json;
  readonly place: SourcePlace;
}

/** Reports a rejected value at the position of its invalid part. */
export function refusedAt(
  { field, ...written }: WrittenValue & { readonly field: string },
  refusal: Refusal,
): Problem {
  return refusalProblem(refusal, originBelow(written, refusal.at), field);
}

/** Returns the position of a nested value, or of its nearest parent. */
export function originBelow({ document, value, place }: WrittenValue, at: readonly string[] = []): Origin {
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
