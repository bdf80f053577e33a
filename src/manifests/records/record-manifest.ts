import { facetsOf } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../problem.ts";
import { originIn, type Place, placesIn, sourceAt, type Written } from "../yaml/written.ts";

/** A document in which mappings get other keys: what stands where is known of the new ones as well. */
export interface Rewriting {
  readonly written: Written;
  readonly ofMapping: Map<JsonObject, ReadonlyMap<string, Place>>;
  readonly ofList: Map<readonly Json[], readonly Place[]>;
}

/** DataHub's other names for the fields of a kind. */
function otherNamesOf({ otherNames = {} }: Kind): ReadonlyMap<string, string> {
  return new Map(Object.entries(otherNames));
}

/** Begins to rewrite a document. */
export function rewritingOf(written: Written): Rewriting {
  const ofMapping = new Map(written.ofMapping);
  const ofList = new Map(written.ofList);
  return { written: { ...written, ofMapping, ofList }, ofMapping, ofList };
}

/** The manifest that a record of a kind stands for: with its kind, and DataHub's other names of fields replaced. */
export function asManifest(
  rewriting: Rewriting,
  record: JsonObject,
  kind: Kind,
  problems: Problem[],
): JsonObject {
  problems.push(...otherKind(rewriting, record, kind));
  const fields = renamed(rewriting, record, otherNamesOf(kind), problems);
  problems.push(...refusedModes(rewriting, fields, kind));
  const { manage: _, ...rest } = withoutOverride(fields);
  const manifest: JsonObject = {
    ...rest,
    ...inlineLists(rewriting, fields, kind, problems),
    kind: kind.name,
  };
  rewriting.ofMapping.set(manifest, placesIn(rewriting.written, fields));
  return manifest;
}

// An upsert only adds to what is there, whatever modes would say.
function refusedModes({ written }: Rewriting, fields: JsonObject, kind: Kind): readonly Problem[] {
  const place = placesIn(written, fields).get("manage");
  return place
    ? [errorAt(originIn(written, place.key), "unknown-field", { field: "manage", in: kind.name })]
    : [];
}

// What it chooses at DataHub, one of two aspects to write, is no question here: both are written.
function withoutOverride(fields: JsonObject): JsonObject {
  const { overrideEditable, ...rest } = fields;
  return typeof overrideEditable === "boolean" ? rest : fields;
}

/** The lists of the record whose elements may be records of another kind, with the other names in those replaced. */
function inlineLists(rewriting: Rewriting, fields: JsonObject, kind: Kind, problems: Problem[]): JsonObject {
  const lists: Record<string, Json> = {};
  for (const { name, inlineKind } of facetsOf(kind.name)) {
    const written = fields[name];
    if (inlineKind === undefined || !isJsonList(written)) continue;
    const names = otherNamesOf(kindOf(inlineKind));
    const list = written.map((each) =>
      isJsonObject(each) ? renamed(rewriting, each, names, problems) : each,
    );
    rewriting.ofList.set(list, rewriting.written.ofList.get(written) ?? []);
    lists[name] = list;
  }
  return lists;
}

/** The mapping with other names of keys. A key that stands there under both names is a problem. */
function renamed(
  rewriting: Rewriting,
  mapping: JsonObject,
  names: ReadonlyMap<string, string>,
  problems: Problem[],
): JsonObject {
  const before = placesIn(rewriting.written, mapping);
  const places = new Map<string, Place>();
  const entries: [string, Json | undefined][] = [];
  for (const [key, value] of Object.entries(mapping)) {
    const name = names.get(key) ?? key;
    const place = before.get(key);
    if (name !== key && mapping[name] !== undefined) {
      const at = originIn(rewriting.written, place?.key ?? 0);
      problems.push(errorAt(at, "conflicting-fields", { field: key, other: name }));
      continue;
    }
    if (place) places.set(name, place);
    entries.push([name, value]);
  }
  const result: JsonObject = Object.fromEntries(entries);
  rewriting.ofMapping.set(result, places);
  return result;
}

function otherKind({ written }: Rewriting, record: JsonObject, kind: Kind): readonly Problem[] {
  const place = placesIn(written, record).get("kind");
  if (!place || record["kind"] === kind.name) return [];
  const value = sourceAt(written, place);
  return [
    errorAt(originIn(written, place.value), "unknown-value", { field: "kind", value, allowed: [kind.name] }),
  ];
}
