/** Reads the fields of aspects from the registry: their types, enum symbols, relationships, and empty initial values. */

import type { Json, JsonObject } from "../../model/json.ts";
import { classOfAspect, registryData } from "./registry-data.ts";

interface Field {
  /** The type of the field, in the notation of the registry. */
  readonly type: string;
  readonly required: boolean;
  /** The relationship types that URNs in this field create, by the path of the URN. The path of the field itself is "". */
  readonly relationships: ReadonlyMap<string, string>;
}

/** The fields of a record by their names. */
export type RecordFields = ReadonlyMap<string, Field>;

const records = new Map<string, RecordFields>();
const enums = new Map<string, ReadonlySet<string>>();
for (const line of registryData.records) {
  const [name = "", ...parts] = line.split(" ");
  if (parts[0] === "=") enums.set(name, new Set(parts.slice(1)));
  else records.set(name, new Map(parts.map(parseField)));
}

function parseField(text: string): [string, Field] {
  const [, name = "", mark, type = "", annotations] = /^([^:!]+)(!?):([^>]*)(?:>(.*))?$/.exec(text) ?? [];
  const relationships = (annotations?.split(",") ?? []).map((part): [string, string] => {
    const [path, relationship] = part.split("=");
    return path === undefined || relationship === undefined ? ["", part] : [path, relationship];
  });
  return [name, { type, required: mark === "!", relationships: new Map(relationships) }];
}

/** The fields of a record; undefined if it is not in the registry. Names lack their leading `com.linkedin.`. */
export function fieldsOf(record: string): RecordFields | undefined {
  return records.get(record);
}

/** The symbols of an enum; undefined if it is not in the registry. */
export function symbolsOf(name: string): ReadonlySet<string> | undefined {
  return enums.get(name);
}

/** The name of the record of an aspect. */
export function recordOfAspect(aspect: string): string {
  return (classOfAspect(aspect) ?? "").slice("com.linkedin.".length);
}

/** The required lists and maps of an aspect, all empty. */
export function emptyCollections(aspect: string): JsonObject {
  const required = [...(fieldsOf(recordOfAspect(aspect)) ?? [])].filter(([, field]) => field.required);
  return Object.fromEntries(
    required.flatMap(([name, { type }]): [string, Json][] =>
      type.startsWith("[") ? [[name, []]] : type.startsWith("{") ? [[name, {}]] : [],
    ),
  );
}
