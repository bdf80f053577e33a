/** Reports environment variables in the strings of an imported file. */

import { isJsonList, isJsonObject, type Json } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../base/problem.ts";
import { originIn, type ParsedDocument, placesIn } from "../yaml/parsed-document.ts";
import { elementsOf } from "./field-values.ts";

/**
 * Reports a problem for each string that contains an environment variable in braces. `datahub ingest` would insert the value of
 * the variable or fail (metadata-ingestion/src/datahub/configuration/config_loader.py).
 */
export function environmentVariables(document: ParsedDocument): readonly Problem[] {
  const problems: Problem[] = [];
  const visit = (value: Json | undefined, offset: number): void => {
    const [variable] = typeof value === "string" ? (/\$\{.+?\}/.exec(value) ?? []) : [];
    if (variable !== undefined)
      problems.push(errorAt(originIn(document, offset), "environment-variable", { variable }));
    if (isJsonList(value)) elementsOf(document, value).forEach((each) => visit(each.value, each.place.value));
    else if (isJsonObject(value))
      placesIn(document, value).forEach((place, key) => visit(value[key], place.value));
  };
  visit(document.root, document.rootPlace.value);
  return problems;
}
