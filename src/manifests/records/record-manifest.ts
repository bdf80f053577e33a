import type { Kind } from "../../kinds/kind.ts";
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

const userNames: ReadonlyMap<string, string> = new Map([["urn", "id"]]);
const groupNames: ReadonlyMap<string, string> = new Map([...userNames, ["admins", "owners"]]);

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
  problems.push(...otherKind(rewriting, record, kind));
  const fields = renamed(rewriting, record, kind.name === "Group" ? groupNames : userNames, problems);
  const members = fields["members"];
  problems.push(...refusedModes(rewriting, fields, kind));
  const { manage: _, ...rest } = withoutOverride(fields);
  const manifest: JsonObject = {
    ...rest,
    ...(isJsonList(members) && { members: inlineUsers(rewriting, members, problems) }),
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

function inlineUsers(rewriting: Rewriting, members: readonly Json[], problems: Problem[]): readonly Json[] {
  const list = members.map((member) =>
    isJsonObject(member) ? renamed(rewriting, member, userNames, problems) : member,
  );
  rewriting.listPlaces.set(list, rewriting.document.listPlaces.get(members) ?? []);
  return list;
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
