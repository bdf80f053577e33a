import { keysReferToKey, refersToKey } from "../../model/identifier.ts";
import { compareText, isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { manifestSchema } from "./manifest-schema.ts";

/** The entities that editors complete: by type, as URNs spell it, and id, the display name; empty where there is none. */
export type KnownEntities = ReadonlyMap<string, ReadonlyMap<string, string>>;

const definitionPrefix = "known-";

/**
 * The schema of manifests with the ids that editors complete, each with its display name. Other ids stay valid. It has no examples
 * of ids, which editors would offer as if they were known.
 */
export function manifestSchemaWith(known: KnownEntities): JsonObject {
  const lists = [...known].filter(([, names]) => names.size > 0).toSorted(([a], [b]) => compareText(a, b));
  const definitions = lists.map(
    ([type, names]) => [`${definitionPrefix}${type}`, listSchema(names)] as const,
  );
  const { definitions: own, ...rest } = completed(manifestSchema, new Set(lists.map(([type]) => type)));
  return { ...rest, definitions: { ...(isJsonObject(own) && own), ...Object.fromEntries(definitions) } };
}

/** The entities that a schema completes, such as one that `manifestSchemaWith` made; none of any other value. */
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

/** Fields and shared parts whose examples have ids, in addition to those that refer to entities. */
const identifying: ReadonlySet<string> = new Set([
  ...["id", "name", "urn", "assets", "replacement", "exempt"],
  ...["match", "exclude", "columns", "match_name", "valuePatterns"],
]);

/** Examples that are words of manifests and no ids: `none`, and the built-in types of owners. */
const word = /^(?:none|[A-Z][A-Z_]+)$/;

/** A part of a schema that completes what texts and keys name, as far as it is known. */
function completed(schema: JsonObject, types: ReadonlySet<string>, name = ""): JsonObject {
  const below = Object.entries(schema).map(
    ([key, value]) => [key, value === undefined ? value : completedJson(value, types, key)] as const,
  );
  const [text, keys, examples] = [schema[refersToKey], schema[keysReferToKey], schema["examples"]];
  const isOfIds = identifying.has(name) || refersBelow(schema);
  const words = isJsonList(examples)
    ? examples.filter((each) => typeof each === "string" && word.test(each))
    : [];
  return {
    ...Object.fromEntries(below.filter(([key]) => key !== "examples" || !isOfIds)),
    ...(isOfIds && words.length > 0 && { examples: words }),
    ...(isKnown(text, types) && anyOf(text)),
    ...(isKnown(keys, types) && { propertyNames: anyOf(keys) }),
  };
}

function completedJson(value: Json, types: ReadonlySet<string>, name?: string): Json {
  if (isJsonList(value)) return value.map((each) => completedJson(each, types));
  return isJsonObject(value) ? completed(value, types, name) : value;
}

/** Whether texts or keys of what a schema describes refer to entities. */
function refersBelow(value: Json | undefined): boolean {
  if (isJsonList(value)) return value.some(refersBelow);
  if (!isJsonObject(value)) return false;
  return refersToKey in value || keysReferToKey in value || Object.values(value).some(refersBelow);
}

function isKnown(type: Json | undefined, types: ReadonlySet<string>): type is string {
  return typeof type === "string" && types.has(type);
}

function anyOf(type: string): JsonObject {
  return { anyOf: [{ $ref: `#/definitions/${definitionPrefix}${type}` }, { type: "string" }] };
}
