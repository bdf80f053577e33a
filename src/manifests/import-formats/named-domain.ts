/** Reads an imported entry's domain. */

import type { JsonObject } from "../../model/json.ts";
import type { ParsedDocument, PlacedValue } from "../yaml/parsed-document.ts";
import { textIn } from "./field-values.ts";
import type { ImportOptions } from "./format.ts";

/** Returns an entry's domain: a URN if the text is the display name of a known domain; otherwise the id or URN as written. */
export function domainIn(
  document: ParsedDocument,
  fields: JsonObject,
  { named }: ImportOptions,
): PlacedValue<string> | undefined {
  const domain = textIn(document, fields, "domain");
  return domain && { ...domain, value: named?.get("domain")?.get(domain.value) ?? domain.value };
}
