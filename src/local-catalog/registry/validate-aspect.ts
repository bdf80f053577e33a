import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { invalid } from "../errors.ts";
import { isJsonList } from "../json.ts";
import { fieldsOf, recordOfAspect, symbolsOf, type RecordFields } from "./aspect-records.ts";

/**
 * Checks that an aspect has all required fields and that each known field has the right type
 * (metadata-io RecordTemplateValidator.java).
 * @throws RequestError with DataHub's message for the first fault.
 */
export function validateAspect(aspect: string, value: JsonObject): void {
  const record = recordOfAspect(aspect);
  const fault = faultOf(value, record, "");
  if (fault !== undefined)
    throw invalid(`Failed to validate record with class com.linkedin.${record}: ERROR :: ${fault}`);
}

function faultOf(value: Json, type: string, path: string): string | undefined {
  const inner = type.slice(1, -1);
  if (type.startsWith("[")) return faultInList(value, inner, path);
  if (type.startsWith("{")) return faultInMap(value, inner, path);
  if (type.startsWith("(")) return faultInUnion(value, path);
  const record = fieldsOf(type);
  if (record) return faultInRecord(value, record, path);
  const symbols = symbolsOf(type);
  const fits = symbols ? typeof value === "string" && symbols.has(value) : isPrimitive[type]?.(value);
  return fits === false
    ? `${path} :: ${JSON.stringify(value)} is not a valid ${primitiveNames[type] ?? type}`
    : undefined;
}

const isPrimitive: Readonly<Record<string, (value: Json) => boolean>> = {
  s: (value) => typeof value === "string",
  i: (value) => Number.isInteger(value),
  f: (value) => typeof value === "number",
  b: (value) => typeof value === "boolean",
};

const primitiveNames: Readonly<Record<string, string>> = {
  s: "string",
  i: "integer",
  f: "number",
  b: "boolean",
};

function faultInRecord(value: Json, record: RecordFields, path: string): string | undefined {
  if (!isJsonObject(value)) return `${path} :: record type is not backed by an object`;
  for (const [name, field] of record) {
    if (field.required && value[name] === undefined)
      return `${path}/${name} :: field is required but not found and has no default value`;
  }
  return firstFault(Object.entries(value), ([name, part]) => {
    const field = record.get(name);
    return field && faultOf(part ?? null, field.type, `${path}/${name}`);
  });
}

function faultInList(value: Json, type: string, path: string): string | undefined {
  if (!isJsonList(value)) return `${path} :: array type is not backed by a list`;
  return firstFault([...value.entries()], ([index, entry]) => faultOf(entry, type, `${path}/${index}`));
}

function faultInMap(value: Json, type: string, path: string): string | undefined {
  if (!isJsonObject(value)) return `${path} :: map type is not backed by an object`;
  return firstFault(Object.entries(value), ([key, entry]) => faultOf(entry ?? null, type, `${path}/${key}`));
}

// A record in a union is keyed by its class name. Members of other types are not checked.
function faultInUnion(value: Json, path: string): string | undefined {
  if (!isJsonObject(value)) return undefined;
  return firstFault(Object.entries(value), ([name, member]) => {
    const type = name.replace(/^com\.linkedin\./, "");
    return fieldsOf(type) ? faultOf(member ?? null, type, `${path}/${name}`) : undefined;
  });
}

function firstFault<T>(parts: readonly T[], fault: (part: T) => string | undefined): string | undefined {
  for (const part of parts) {
    const found = fault(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
