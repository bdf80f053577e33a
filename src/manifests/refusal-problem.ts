import type { Refusal } from "../facets/parsing.ts";
import { isJsonObject, type Json } from "../model/json.ts";
import type { Origin } from "../model/origin.ts";
import type { Problem } from "../model/problem.ts";
import { errorAt } from "./problem.ts";
import { locate } from "./schema/schema-path.ts";
import { closest } from "../model/text/suggestion.ts";
import { originIn, type ParsedDocument, type SourcePlace } from "./yaml/parsed-document.ts";

/** A value of a document, where it is, and the field that it is in. */
interface RefusedValue {
  readonly document: ParsedDocument;
  readonly value: Json;
  readonly place: SourcePlace;
  readonly field: string;
}

/** The problem of a refused value, at the part of it that is wrong. */
export function refusedAt({ document, value, place, field }: RefusedValue, refusal: Refusal): Problem {
  const below = isJsonObject(value) && locate({ document, value, start: place.value }, refusal.at)?.place;
  return refusalProblem(refusal, originIn(document, (below || place).value), field);
}

/** The problem of a refusal, with what was probably meant. */
export function refusalProblem({ code, args, misspelt }: Refusal, origin: Origin, field: string): Problem {
  const suggestion = misspelt && closest(misspelt.text, misspelt.names);
  // TypeScript does not see that the code and the arguments still belong together.
  return errorAt(origin, code, { ...args, field, suggestion }) as Problem;
}
