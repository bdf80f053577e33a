import { facetsOf } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { appendTo } from "../../model/append.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../problem.ts";
import {
  originIn,
  type SourcePlace,
  placesIn,
  sourceAt,
  type ParsedDocument,
} from "../yaml/parsed-document.ts";

/** A document whose mappings get other keys. It also knows the places of the new mappings. */
export interface Rewriting {
  readonly document: ParsedDocument;
  readonly mappingPlaces: Map<JsonObject, ReadonlyMap<string, SourcePlace>>;
  readonly listPlaces: Map<readonly Json[], readonly SourcePlace[]>;
}

/** DataHub's other names for the fields of a kind. */
function otherNamesOf({ otherNames = {} }: Kind): ReadonlyMap<string, string> {
  return new Map(Object.entries(otherNames));
}

/** Begins to rewrite a document. */
export function rewritingOf(document: ParsedDocument): Rewriting {
  const mappingPlaces = new Map(document.mappingPlaces);
  const listPlaces = new Map(document.listPlaces);
  return { document: { ...document, mappingPlaces, listPlaces }, mappingPlaces, listPlaces };
}

/** The manifest of a record: with its kind, and with the field names of manifests instead of DataHub's. */
export function asManifest(
  rewriting: Rewriting,
  record: JsonObject,
  kind: Kind,
  problems: Problem[],
): JsonObject {
  appendTo(problems, otherKind(rewriting, record, kind));
  const fields = renamed(rewriting, record, otherNamesOf(kind), problems);
  appendTo(problems, refusedModes(rewriting, fields, kind));
  const { manage: _, ...rest } = withoutOverride(fields);
  const manifest: JsonObject = {
    ...rest,
    ...inlineLists(rewriting, fields, kind, problems),
    kind: kind.name,
  };
  rewriting.mappingPlaces.set(manifest, placesIn(rewriting.document, fields));
  return manifest;
}

// An upsert only adds, so it has no modes.
function refusedModes({ document }: Rewriting, fields: JsonObject, kind: Kind): readonly Problem[] {
  const place = placesIn(document, fields).get("manage");
  return place
    ? [errorAt(originIn(document, place.key), "unknown-field", { field: "manage", in: kind.name })]
    : [];
}

// In DataHub's own command it selects one of two aspects to write. Here both are written.
function withoutOverride(fields: JsonObject): JsonObject {
  const { overrideEditable, ...rest } = fields;
  return typeof overrideEditable === "boolean" ? rest : fields;
}

/** The lists of the record whose elements may be records of another kind, with the other names in those replaced. */
function inlineLists(rewriting: Rewriting, fields: JsonObject, kind: Kind, problems: Problem[]): JsonObject {
  const lists: Record<string, Json> = {};
  for (const { name, inlineKind } of facetsOf(kind.name)) {
    const document = fields[name];
    if (inlineKind === undefined || !isJsonList(document)) continue;
    const names = otherNamesOf(kindOf(inlineKind));
    const list = document.map((each) =>
      isJsonObject(each) ? renamed(rewriting, each, names, problems) : each,
    );
    rewriting.listPlaces.set(list, rewriting.document.listPlaces.get(document) ?? []);
    lists[name] = list;
  }
  return lists;
}

/** The mapping with renamed keys. A key that is present under both names is a problem. */
function renamed(
  rewriting: Rewriting,
  mapping: JsonObject,
  names: ReadonlyMap<string, string>,
  problems: Problem[],
): JsonObject {
  const before = placesIn(rewriting.document, mapping);
  const places = new Map<string, SourcePlace>();
  const entries: [string, Json | undefined][] = [];
  for (const [key, value] of Object.entries(mapping)) {
    const name = names.get(key) ?? key;
    const place = before.get(key);
    if (name !== key && mapping[name] !== undefined) {
      const at = originIn(rewriting.document, place?.key ?? 0);
      problems.push(errorAt(at, "conflicting-fields", { field: key, other: name }));
      continue;
    }
    if (place) places.set(name, place);
    entries.push([name, value]);
  }
  const result: JsonObject = Object.fromEntries(entries);
  rewriting.mappingPlaces.set(result, places);
  return result;
}

function otherKind({ document }: Rewriting, record: JsonObject, kind: Kind): readonly Problem[] {
  const place = placesIn(document, record).get("kind");
  if (!place || record["kind"] === kind.name) return [];
  const value = sourceAt(document, place);
  return [
    errorAt(originIn(document, place.value), "unknown-value", { field: "kind", value, allowed: [kind.name] }),
  ];
}
