/** Adds the catalog's ids to the manifest schema, so that editors can complete them. */

import { keysReferToKey, refersToKey } from "../../model/identifier.ts";
import { compareText, isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { manifestSchema } from "./manifest-schema.ts";

/**
 * Display names of the entities that editors offer for completion, keyed by entity type (as in URNs) and then by id. The display
 * name is empty if an entity has none.
 */
export type KnownEntities = ReadonlyMap<string, ReadonlyMap<string, string>>;

const definitionPrefix = "known-";

/**
 * Adds ids and their display names to the manifest schema for completion in editors. Other ids remain valid. Keeps only fixed
 * words as examples, because editors would offer other examples as if they were known ids.
 */
export function manifestSchemaWith(known: KnownEntities): JsonObject {
  const lists = [...known].filter(([, names]) => names.size > 0).toSorted(([a], [b]) => compareText(a, b));
  const definitions = lists.map(
    ([type, names]) => [`${definitionPrefix}${type}`, listSchema(names)] as const,
  );
  const { definitions: own, ...rest } = completed(manifestSchema, new Set(lists.map(([type]) => type)), "");
  return { ...rest, definitions: { ...(isJsonObject(own) && own), ...Object.fromEntries(definitions) } };
}

/**
 * Returns the entities that a schema (such as one from `manifestSchemaWith`) offers for completion; empty for any other value.
 */
export function knownIn(schema: Json | undefined): KnownEntities {
  const definitions = isJsonObject(schema) ? schema["definitions"] : undefined;
  if (!isJsonObject(definitions)) return new Map();
  return new Map(
    Object.entries(definitions)
      .filter(([name]) => name.startsWith(definitionPrefix))
      .map(([name, list]) => [name.slice(definitionPrefix.length), namesIn(list)]),
  );
}

function namesIn(list: Json | undefined): ReadonlyMap<string, string> {
  const { enum: ids, enumDescriptions: names }: JsonObject = isJsonObject(list) ? list : {};
  const texts = isJsonList(names) ? names : [];
  return new Map(
    (isJsonList(ids) ? ids : []).flatMap((id, index): readonly (readonly [string, string])[] => {
      const name = texts[index];
      return typeof id === "string" ? [[id, typeof name === "string" ? name : ""]] : [];
    }),
  );
}

function listSchema(names: ReadonlyMap<string, string>): JsonObject {
  const sorted = [...names].toSorted(([a], [b]) => compareText(a, b));
  return { enum: sorted.map(([id]) => id), enumDescriptions: sorted.map(([, name]) => name) };
}

/** The fields and shared definitions whose examples editors should offer for completion. */
const suggested: ReadonlySet<string> = new Set(["platform", "match_platform", "subtype", "match_subtype"]);

/** Matches examples that are fixed words and not ids: `none`, and constants such as the built-in ownership types. */
const word = /^(?:none|[A-Z][A-Z_]+)$/;

/** Adds completion of known ids to the values and keys in a schema. */
function completed(
  { examples, ...schema }: JsonObject,
  types: ReadonlySet<string>,
  name: string,
): JsonObject {
  const below = Object.entries(schema).map(
    ([key, value]) => [key, value === undefined ? value : completedJson(value, types, key)] as const,
  );
  const [text, keys] = [schema[refersToKey], schema[keysReferToKey]];
  const offered = (isJsonList(examples) ? examples : []).filter(
    (each) => suggested.has(name) || (typeof each === "string" && word.test(each)),
  );
  return {
    ...Object.fromEntries(below),
    ...(offered.length > 0 && { examples: offered }),
    ...(isKnown(text, types) && anyOf(text)),
    ...(isKnown(keys, types) && { propertyNames: anyOf(keys) }),
  };
}

function completedJson(value: Json, types: ReadonlySet<string>, name = ""): Json {
  if (isJsonList(value)) return value.map((each) => completedJson(each, types));
  return isJsonObject(value) ? completed(value, types, name) : value;
}

function isKnown(type: Json | undefined, types: ReadonlySet<string>): type is string {
  return typeof type === "string" && types.has(type);
}

function anyOf(type: string): JsonObject {
  return { anyOf: [{ $ref: `#/definitions/${definitionPrefix}${type}` }, { type: "string" }] };
}
