/** Validates aspect values against their classes in the registry, and drops unknown fields. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { invalid } from "../errors.ts";
import { mapObject } from "../json.ts";
import { fieldsOf, recordOfAspect, symbolsOf, type RecordFields } from "./aspect-records.ts";

/**
 * Validates an aspect and removes fields that its class does not define, as DataHub does by default (metadata-io
 * IgnoreUnknownMutator.java). All required fields must be present, and each field must have the right type
 * (RecordTemplateValidator.java).
 * @throws RequestError with DataHub's message for the first invalid field.
 */
export function validatedAspect(aspect: string, value: JsonObject): JsonObject {
  const record = recordOfAspect(aspect);
  const fields = fieldsOf(record);
  if (!fields) return value;
  const refuse = (path: string, fault: string): never => {
    throw invalid(
      `Failed to validate record with class com.linkedin.${record}: ERROR :: ${path} :: ${fault}`,
    );
  };
  return validRecord(value, fields, "", refuse);
}

type Refuse = (path: string, fault: string) => never;

function validValue(value: Json, type: string, path: string, refuse: Refuse): Json {
  const inner = type.slice(1, -1);
  if (type.startsWith("[")) {
    if (!isJsonList(value)) return refuse(path, "array type is not backed by a DataList");
    return value.map((entry, index) => validValue(entry, inner, `${path}/${index}`, refuse));
  }
  if (type.startsWith("{")) {
    if (!isJsonObject(value)) return refuse(path, "map type is not backed by a DataMap");
    return mapObject(value, (entry, key) => validValue(entry, inner, `${path}/${key}`, refuse));
  }
  if (type.startsWith("(")) return validMember(value, path, refuse);
  const fields = fieldsOf(type);
  if (fields) {
    if (!isJsonObject(value)) return refuse(path, "record type is not backed by a DataMap");
    return validRecord(value, fields, path, refuse);
  }
  const symbols = symbolsOf(type);
  const fits = symbols ? typeof value === "string" && symbols.has(value) : primitives[type]?.fits(value);
  if (fits !== false) return value;
  return refuse(path, `${JSON.stringify(value)} is not a valid ${primitives[type]?.name ?? type}`);
}

const primitives: Readonly<Record<string, { readonly name: string; fits(value: Json): boolean }>> = {
  s: { name: "string", fits: (value) => typeof value === "string" },
  i: { name: "integer", fits: (value) => Number.isInteger(value) },
  f: { name: "number", fits: (value) => typeof value === "number" },
  b: { name: "boolean", fits: (value) => typeof value === "boolean" },
};

function validRecord(value: JsonObject, fields: RecordFields, path: string, refuse: Refuse): JsonObject {
  for (const [name, { required }] of fields)
    if (required && value[name] === undefined)
      refuse(`${path}/${name}`, "field is required but not found and has no default value");
  return mapObject(value, (part, name) => {
    const field = fields.get(name);
    return field && validValue(part, field.type, `${path}/${name}`, refuse);
  });
}

// In a union, the key for a record is its class name. Union members of other types are not checked.
function validMember(value: Json, path: string, refuse: Refuse): Json {
  if (!isJsonObject(value)) return value;
  return mapObject(value, (member, name) => {
    const type = name.replace(/^com\.linkedin\./, "");
    return fieldsOf(type) ? validValue(member, type, `${path}/${name}`, refuse) : member;
  });
}
