/** Reads facets from answers of GraphQL. */

import { aspectsIn } from "../../src/facets/answered-aspects.ts";
import type { Facet, Observed } from "../../src/facets/facet.ts";
import { isJsonObject, type JsonObject } from "../../src/model/json.ts";

/** A facet as it is read from an answer of GraphQL. `answer.aspects` has the raw aspects by name. */
export function answeredIn(facet: Facet, answer: JsonObject, kind = "Dataset"): Observed {
  const raw = isJsonObject(answer["aspects"]) ? answer["aspects"] : {};
  return facet.observe(aspectsIn(answer, facet.answered(kind), raw), kind);
}
