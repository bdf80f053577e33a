import { isJsonList, isJsonObject, type Json } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../problem.ts";
import { originIn, type ParsedDocument, placesIn } from "../yaml/parsed-document.ts";
import { elementsOf } from "./field-values.ts";

/**
 * A problem for each text with an environment variable in braces: `datahub ingest` puts its value there, or fails
 * (metadata-ingestion/src/datahub/configuration/config_loader.py).
 */
export function environmentVariables(document: ParsedDocument): readonly Problem[] {
  const problems: Problem[] = [];
  const look = (value: Json | undefined, offset: number): void => {
    const [variable] = typeof value === "string" ? (/\$\{.+?\}/.exec(value) ?? []) : [];
    if (variable !== undefined)
      problems.push(errorAt(originIn(document, offset), "environment-variable", { variable }));
    if (isJsonList(value)) elementsOf(document, value).forEach((each) => look(each.value, each.place.value));
    else if (isJsonObject(value))
      placesIn(document, value).forEach((place, key) => look(value[key], place.value));
  };
  look(document.root, document.rootPlace.value);
  return problems;
}
