import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { recordLines } from "./aspect-shapes.ts";
import { invalid } from "../refusal.ts";
import { classOfAspect } from "./registry.ts";

/** One field of a record: its type as `aspect-shapes` writes it. */
interface Field {
  readonly type: string;
  readonly required: boolean;
  /** Relationships that URNs in this field make, by the path to them within it; "" is the field itself. */
  readonly relationships: ReadonlyMap<string, string>;
}

type RecordShape = ReadonlyMap<string, Field>;

const records = new Map<string, RecordShape>();
const enums = new Map<string, ReadonlySet<string>>();
for (const line of recordLines) {
  const [name = "", ...parts] = line.split(" ");
  if (parts[0] === "=") enums.set(name, new Set(parts.slice(1)));
  else records.set(name, new Map(parts.map(fieldOf)));
}

function fieldOf(text: string): [string, Field] {
  const [, name = "", mark, type = "", relations = ""] = /^([^:!]+)(!?):([^>]*)>?(.*)$/.exec(text) ?? [];
  const relationships = relations.split(",").filter((part) => part !== "");
  return [
    name,
    {
      type,
      required: mark === "!",
      relationships: new Map(
        relationships.map((part) => {
          const [path, relationship] = part.split("=");
          return relationship === undefined ? ["", part] : [path ?? "", relationship];
        }),
      ),
    },
  ];
}

/** The fields of a record by its name without `com.linkedin.`; undefined when it is none. */
export function fieldsOf(record: string): RecordShape | undefined {
  return records.get(record);
}

/** The record that holds an aspect, by its name without `com.linkedin.`. */
export function recordOfAspect(aspect: string): string {
  return (classOfAspect(aspect) ?? "").slice("com.linkedin.".length);
}

/** The least that an aspect holds: its required lists and maps, empty. */
export function emptyCollections(aspect: string): JsonObject {
  const required = [...(fieldsOf(recordOfAspect(aspect)) ?? [])].filter(([, field]) => field.required);
  return Object.fromEntries(
    required.flatMap(([name, { type }]): [string, Json][] =>
      type.startsWith("[") ? [[name, []]] : type.startsWith("{") ? [[name, {}]] : [],
    ),
  );
}

/**
 * Checks that a value has the shape of its aspect: required fields are there, each known one of its type
 * (metadata-io RecordTemplateValidator.java).
 * @throws Refusal with DataHub's message for the first fault.
 */
export function checkShape(aspect: string, value: JsonObject): void {
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
  const record = records.get(type);
  if (record) return faultInRecord(value, record, path);
  const symbols = enums.get(type);
  const fits = symbols ? typeof value === "string" && symbols.has(value) : isPrimitive[type]?.(value);
  return fits === false
    ? `${path} :: ${JSON.stringify(value)} is not a valid ${names[type] ?? type}`
    : undefined;
}

const isPrimitive: Readonly<Record<string, (value: Json) => boolean>> = {
  s: (value) => typeof value === "string",
  i: (value) => Number.isInteger(value),
  f: (value) => typeof value === "number",
  b: (value) => typeof value === "boolean",
};

const names: Readonly<Record<string, string>> = { s: "string", i: "integer", f: "number", b: "boolean" };

function faultInRecord(value: Json, record: RecordShape, path: string): string | undefined {
  if (!isJsonObject(value)) return `${path} :: record type is not backed by an object`;
  for (const [name, field] of record) {
    if (field.required && value[name] === undefined)
      return `${path}/${name} :: field is required but not found and has no default value`;
  }
  return firstFault(Object.entries(value), ([name, part]) => {
    const field = record.get(name);
    // DataHub refuses a field that its release does not know. This catalog is asked by clients of many releases, and
    // keeps what a newer one has written.
    if (!field) return undefined;
    return faultOf(part ?? null, field.type, `${path}/${name}`);
  });
}

function faultInList(value: Json, type: string, path: string): string | undefined {
  if (!Array.isArray(value)) return `${path} :: array type is not backed by a list`;
  return firstFault([...(value as readonly Json[]).entries()], ([index, entry]) =>
    faultOf(entry, type, `${path}/${index}`),
  );
}

function faultInMap(value: Json, type: string, path: string): string | undefined {
  if (!isJsonObject(value)) return `${path} :: map type is not backed by an object`;
  return firstFault(Object.entries(value), ([key, entry]) => faultOf(entry ?? null, type, `${path}/${key}`));
}

// A member stands under its class; those that are no classes are left as they are.
function faultInUnion(value: Json, path: string): string | undefined {
  if (!isJsonObject(value)) return undefined;
  return firstFault(Object.entries(value), ([name, member]) => {
    const type = name.replace(/^com\.linkedin\./, "");
    return records.has(type) ? faultOf(member ?? null, type, `${path}/${name}`) : undefined;
  });
}

function firstFault<T>(parts: readonly T[], fault: (part: T) => string | undefined): string | undefined {
  for (const part of parts) {
    const found = fault(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
