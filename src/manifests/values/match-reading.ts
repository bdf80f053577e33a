/** Reads the kind, exclusions and patterns in the `match` of a rule or policy. */

import { findKind } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, textOf } from "../../model/json.ts";

/** Returns the kind that a rule or policy matches; `undefined` if the kind is missing or unknown. */
export function kindMatched({ match }: JsonObject): Kind | undefined {
  const name = isJsonObject(match) ? match["kind"] : undefined;
  return typeof name === "string" ? findKind(name) : undefined;
}

/** Returns the mappings under `not` in a `match`. Each of these mappings excludes entities. */
export function exclusionsIn({ not }: JsonObject): readonly JsonObject[] {
  return (isJsonList(not) ? not : [not]).filter(isJsonObject);
}

/** Returns the strings in a value that is a string or a list of strings. */
export function textsIn(value: Json | undefined): readonly string[] {
  return (isJsonList(value) ? value : [value ?? null]).map(textOf);
}
