/** Converts a record for a DataHub command into a manifest, and reports fields that a record cannot have. */

import { facetsOf } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../base/problem.ts";
import type { OpenDocument } from "../yaml/open-document.ts";
import { originIn, placesIn, sourceAt, type SourcePlace } from "../yaml/parsed-document.ts";

/**
 * Converts a record into a manifest, and sets `kind`. Renames fields that have different names in DataHub, and adds the source
 * positions of the values to the document.
 */
export function manifestOf(
  document: OpenDocument,
  record: JsonObject,
  kind: Kind,
  problems: Problem[],
): JsonObject {
  const places = placesIn(document, record);
  const [named, modes] = [places.get("kind"), places.get("manage")];
  if (named && record["kind"] !== kind.name) {
    const args = { field: "kind", value: sourceAt(document, named), allowed: [kind.name] };
    problems.push(errorAt(originIn(document, named.value), "unknown-value", args));
  }
  // An upsert only adds values, so a record has no modes.
  if (modes)
    problems.push(
      errorAt(originIn(document, modes.key), "unknown-field", { field: "manage", in: kind.name }),
    );
  const fields = renamed(document, record, kind, problems);
  delete fields["manage"];
  for (const { name, inlineKind } of facetsOf(kind.name)) {
    const list = fields[name];
    if (inlineKind === undefined || !isJsonList(list)) continue;
    const elements = list.map((each) =>
      isJsonObject(each) ? renamed(document, each, kindOf(inlineKind), problems) : each,
    );
    document.listPlaces.set(elements, document.listPlaces.get(list) ?? []);
    fields[name] = elements;
  }
  // DataHub's CLI uses this field to select which of two aspects to write. This tool writes both.
  if (typeof fields["overrideEditable"] === "boolean") delete fields["overrideEditable"];
  const manifest = { ...fields, kind: kind.name };
  document.mappingPlaces.set(manifest, placesIn(document, fields));
  return manifest;
}

/** Renames the keys in a mapping. Reports a field that is present under both names. */
function renamed(
  document: OpenDocument,
  mapping: JsonObject,
  { otherNames = {} }: Kind,
  problems: Problem[],
): Record<string, Json | undefined> {
  const before = placesIn(document, mapping);
  const names = new Map(Object.entries(otherNames));
  const places = new Map<string, SourcePlace>();
  const entries: [string, Json | undefined][] = [];
  for (const [key, value] of Object.entries(mapping)) {
    const name = names.get(key) ?? key;
    const place = before.get(key);
    if (name !== key && mapping[name] !== undefined) {
      const at = originIn(document, place?.key ?? 0);
      problems.push(errorAt(at, "conflicting-fields", { field: key, other: name }));
      continue;
    }
    if (place) places.set(name, place);
    entries.push([name, value]);
  }
  const result = Object.fromEntries(entries);
  document.mappingPlaces.set(result, places);
  return result;
}
