import { isDeepStrictEqual } from "node:util";
import { isMap, isSeq, parseAllDocuments } from "yaml";
import type { Facet } from "../../facets/facet.ts";
import { facetsOf } from "../../facets/index.ts";
import { canonicalJson, isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";
import { type DeclaredPlace, declaredPlaces } from "../edit/declared-places.ts";
import type { Edit, NewValue, Path } from "../edit/edit.ts";
import { editManifests, type NamedText } from "../edit/edit-manifests.ts";
import { manifestTextOf } from "../edit/manifest-text.ts";
import { elementKeyOf } from "../edit/wanted-values.ts";
import { commentsIn } from "../format/comments.ts";
import { formatted } from "../format/formatted.ts";
import { manifestText } from "../format/manifest-text.ts";
import { mapKeys, outerKey } from "../schema/schema.ts";
import type { Declared } from "./declared.ts";

/** What is live now of the facets in scope; all else of a file stays as it is. */
interface Refresh extends Pick<Declared, "kind" | "data"> {
  readonly isInScope: (facet: string) => boolean;
}

/**
 * The text of an exported file with what is live now: comments, order and style of what is there stay, and a file in
 * canonical form is so again. `undefined` where the text does not let it be changed so.
 */
export function refreshed(file: NamedText, urn: Urn, { kind, data, isInScope }: Refresh): string | undefined {
  const place = placeOf(file, urn);
  if (!place) return undefined;
  const { manifest, fields: before } = place;
  const { text, refused } = editManifests(file, editsFor({ kind, manifest, before, after: data, isInScope }));
  if (refused.length > 0) return undefined;
  const whole = withNewFields(text, manifest, data);
  if (whole === undefined || formatted(file.text) !== file.text) return whole;
  return formatted(whole) ?? whole;
}

/** The manifest of an entity: not where another one lists it. */
function placeOf({ name, text }: NamedText, urn: Urn): DeclaredPlace | undefined {
  const manifests = manifestTextOf(name, text);
  const places = manifests ? declaredPlaces(manifests) : [];
  return places.find((place) => place.urn === urn && place.path.length === 0);
}

/** Which manifest of the file has the edits, and what it and the new one say. */
interface Comparing {
  readonly kind: string;
  readonly manifest: number;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly isInScope: Refresh["isInScope"];
}

/** The edits of the fields that are there: of each facet of the kind, and of each column. */
function editsFor({ kind, manifest, before, after, isInScope }: Comparing): readonly Edit[] {
  return facetsOf(kind).flatMap((facet): readonly Edit[] => {
    const outer = outerKey(facet);
    const [old, next] = [before[outer], after[outer]];
    if (old === undefined || !isInScope(facet.name)) return [];
    if (next === undefined) return [{ manifest, path: [outer], value: { type: "gone" } }];
    const edit = (path: Path, had: Json, has: Json): readonly Edit[] => {
      const value = newValue(facet, had, has);
      return value ? [{ manifest, path, value }] : [];
    };
    if (facet.shape !== "map" || !isJsonObject(old) || !isJsonObject(next)) return edit([outer], old, next);
    const { child } = mapKeys(facet.name);
    return Object.entries(old).flatMap(([column, entry]): readonly Edit[] => {
      const [had, has] = [entry, next[column]].map((each) => (isJsonObject(each) ? each[child] : undefined));
      if (has === undefined) return [{ manifest, path: [outer, column], value: { type: "gone" } }];
      return had === undefined ? [] : edit([outer, column, child], had, has);
    });
  });
}

function newValue(facet: Facet, old: Json, next: Json): NewValue | undefined {
  if (!isJsonList(old) || !isJsonList(next)) {
    if (canonicalJson(old) === canonicalJson(next) || typeof next === "object") return undefined;
    return { type: "scalar", value: next };
  }
  const keyOf = elementKeyOf(facet.name);
  const [had, has] = [new Set(old.map(keyOf)), new Set(next.map(keyOf))];
  const add = next.filter((each) => !had.has(keyOf(each)));
  const remove = old.filter((each) => !has.has(keyOf(each)));
  return add.length + remove.length === 0 ? undefined : { type: "list", add, remove, keyOf };
}

/** The text with the fields that the manifest does not have yet; `undefined` where a comment would be lost. */
function withNewFields(text: string, index: number, data: JsonObject): string | undefined {
  const documents = parseAllDocuments(text);
  const maps = documents.flatMap(({ contents }) => (isSeq(contents) ? contents.items : [contents]));
  const map = maps.filter((each) => each !== null)[index];
  if (!isMap(map)) return undefined;
  const added = newFields(map.toJSON() as JsonObject, data);
  if (Object.keys(added).length === 0) return text;
  const fresh = parseAllDocuments(manifestText([{ data: added }]))[0]?.contents;
  if (!isMap(fresh)) return undefined;
  for (const { key, value } of fresh.items) {
    const old = map.get(key);
    if (isMap(old) && isMap(value)) for (const pair of value.items) old.add(pair);
    else map.add({ key, value });
  }
  const whole = documents.map(String).join("---\n");
  return isDeepStrictEqual(commentsIn(whole), commentsIn(text)) ? whole : undefined;
}

function newFields(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(after).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
      const old = before[key];
      if (value === undefined || (old !== undefined && !(isJsonObject(old) && isJsonObject(value))))
        return [];
      if (!isJsonObject(old) || !isJsonObject(value)) return [[key, value]];
      const fresh = Object.entries(value).filter(([column]) => old[column] === undefined);
      return fresh.length > 0 ? [[key, Object.fromEntries(fresh)]] : [];
    }),
  );
}
