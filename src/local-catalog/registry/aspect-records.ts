/** Reads aspect fields from the registry: their types, enum symbols, relationships, and empty initial values. */

import type { Json, JsonObject } from "../../model/json.ts";
import { classOfAspect, registryData } from "./registry-data.ts";

interface Field {
  /** The field's type, in the registry's notation. */
  readonly type: string;
  readonly required: boolean;
  /** Relationship types, keyed by the path of a URN inside the field. The path "" refers to the field itself. */
  readonly relationships: ReadonlyMap<string, string>;
}

/** A record's fields, keyed by name. */
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

/**
 * Returns a record's fields, or undefined if the record is not in the registry. `record` is the name without the leading
 * `com.linkedin.`.
 */
export function fieldsOf(record: string): RecordFields | undefined {
  return records.get(record);
}

/** Returns an enum's symbols, or undefined if the enum is not in the registry. */
export function symbolsOf(name: string): ReadonlySet<string> | undefined {
  return enums.get(name);
}

/** Returns the name of an aspect's record, without the leading `com.linkedin.`. */
export function recordOfAspect(aspect: string): string {
  return (classOfAspect(aspect) ?? "").slice("com.linkedin.".length);
}

/** Creates empty values for the lists and maps that an aspect requires. */
export function emptyCollections(aspect: string): JsonObject {
  const required = [...(fieldsOf(recordOfAspect(aspect)) ?? [])].filter(([, field]) => field.required);
  return Object.fromEntries(
    required.flatMap(([name, { type }]): [string, Json][] =>
      type.startsWith("[") ? [[name, []]] : type.startsWith("{") ? [[name, {}]] : [],
    ),
  );
}
