/** Unwraps the values of optional fields, which Avro's JSON encoding wraps in objects with a type name as the key. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { malformed } from "../errors.ts";
import { mapObject } from "../json.ts";
import { fieldsOf, recordOfAspect, symbolsOf } from "../registry/aspect-records.ts";

/** Avro's names for each primitive field type. */
const avroNames: Readonly<Record<string, readonly string[]>> = {
  s: ["string", "bytes"],
  i: ["int", "long"],
  f: ["double", "float", "int", "long"],
  b: ["boolean"],
};

const className = /^com\.linkedin\./;

/**
 * Returns an aspect from a metadata file without Avro's type names: `{ "string": "Alice" }` becomes `"Alice"`. Keeps the member
 * names in DataHub's own unions, such as a column's type.
 * @throws RequestError when a field contains an object where a plain value or a list is expected, unless the field is such a
 * union. The message includes the field.
 */
export function withoutAvroUnions(aspect: string, value: JsonObject): JsonObject {
  const decoded = decode(value, recordOfAspect(aspect), aspect);
  return isJsonObject(decoded) ? decoded : value;
}

function decode(value: Json, type: string, path: string): Json {
  if (value === null) return null;
  const inner = type.slice(1, -1);
  if (type.startsWith("[")) return decodeList(value, inner, path);
  if (type.startsWith("{")) return decodeMap(value, inner, path);
  if (type.startsWith("(")) return decodeMember(value, type, path);
  const fields = fieldsOf(type);
  const names = avroNames[type];
  if (!fields && !symbolsOf(type) && !names) return value;
  const member = memberOf(value, (name) => (names ? names.includes(name) : className.test(name)));
  if (!fields) return plain(member, path);
  return mapped(member, (part, name) => {
    const field = fields.get(name);
    return field ? decode(part, field.type, `${path}.${name}`) : part;
  });
}

function mapped(value: Json, change: (part: Json, name: string) => Json): Json {
  return isJsonObject(value) ? mapObject(value, change) : value;
}

function decodeList(value: Json, type: string, path: string): Json {
  const list = memberOf(value, (name) => name === "array");
  if (isJsonList(list)) return list.map((entry, index) => decode(entry, type, `${path}[${index}]`));
  return plain(list, path);
}

// The key "map" can be Avro's type name or an ordinary key of the map. It is a type name only if its value is itself a map.
function decodeMap(value: Json, type: string, path: string): Json {
  const member = memberOf(value, (name) => name === "map");
  const isWrapped = isJsonObject(member) && (type in avroNames || isMapOf(member, type));
  return mapped(isWrapped ? member : value, (part, key) => decode(part, type, `${path}.${key}`));
}

// Whether an object is a map of records rather than a record.
function isMapOf(value: JsonObject, type: string): boolean {
  const fields = fieldsOf(type);
  return fields !== undefined && !Object.keys(value).some((key) => fields.has(key));
}

// Keeps the union member's name and decodes its value, which may contain optional fields.
function decodeMember(value: Json, type: string, path: string): Json {
  const members = new Set(type.slice(1, -1).split("|"));
  return mapped(value, (part, name) => {
    const member = name.replace(/^com\.linkedin\.(?:pegasus2avro\.)?/, "");
    return members.has(member) && fieldsOf(member) ? decode(part, member, `${path}.${member}`) : part;
  });
}

/** Unwraps an object whose only key is a type name. Returns any other value unchanged. */
function memberOf(value: Json, isTypeName: (name: string) => boolean): Json {
  if (!isJsonObject(value)) return value;
  const [[name, member] = [], ...others] = Object.entries(value);
  return name !== undefined && member !== undefined && others.length === 0 && isTypeName(name)
    ? member
    : value;
}

function plain(value: Json, path: string): Json {
  if (isJsonObject(value)) throw malformed(`${path} must not be an object: ${JSON.stringify(value)}`);
  return value;
}
