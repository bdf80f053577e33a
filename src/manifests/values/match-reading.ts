/** Reads the kind, the exclusions and the texts in a rule's or policy's `match`. */

import { findKind } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, textOf } from "../../model/json.ts";

/** Returns the kind that a rule or policy matches, if it names a known one. */
export function kindMatched({ match }: JsonObject): Kind | undefined {
  const name = isJsonObject(match) ? match["kind"] : undefined;
  return typeof name === "string" ? findKind(name) : undefined;
}

/** Returns the key mappings that `not` excludes from a `match`. */
export function exclusionsIn({ not }: JsonObject): readonly JsonObject[] {
  return (isJsonList(not) ? not : [not]).filter(isJsonObject);
}

/** Returns the texts in a value that is a text or a list of texts. */
export function textsIn(value: Json | undefined): readonly string[] {
  return (isJsonList(value) ? value : [value ?? null]).map(textOf);
}
