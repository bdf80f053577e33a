import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { isJsonList } from "../json.ts";
import { fieldsOf, recordOfAspect } from "./aspect-records.ts";

/** An aspect without the fields that its class does not have: DataHub drops them by default (IgnoreUnknownMutator.java). */
export function trimmedAspect(aspect: string, value: JsonObject): JsonObject {
  const trimmed = trim(value, recordOfAspect(aspect));
  return isJsonObject(trimmed) ? trimmed : value;
}

// What does not fit its type is left to the validation.
function trim(value: Json, type: string): Json {
  const inner = type.slice(1, -1);
  if (type.startsWith("[")) return isJsonList(value) ? value.map((entry) => trim(entry, inner)) : value;
  if (!isJsonObject(value)) return value;
  if (type.startsWith("{")) return mapped(value, (entry) => trim(entry, inner));
  // A record in a union is keyed by its class name.
  if (type.startsWith("("))
    return mapped(value, (entry, name) => trim(entry, name.replace(/^com\.linkedin\./, "")));
  const fields = fieldsOf(type);
  if (!fields) return value;
  return mapped(value, (entry, name) => {
    const field = fields.get(name);
    return field && trim(entry, field.type);
  });
}

function mapped(value: JsonObject, change: (entry: Json, name: string) => Json | undefined): JsonObject {
  const parts = Object.entries(value).flatMap(([name, entry]): [string, Json][] => {
    const changed = entry === undefined ? undefined : change(entry, name);
    return changed === undefined ? [] : [[name, changed]];
  });
  return Object.fromEntries(parts);
}
