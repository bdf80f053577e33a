import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { fieldsOf, recordOfAspect } from "./aspect-shape.ts";

/** A URN that an aspect refers to, and what the reference means. */
export interface Relationship {
  readonly type: string;
  readonly urn: string;
}

/**
 * The relationships that an aspect makes, by the annotations of DataHub's models; one further out replaces those
 * further in (entity-registry RelationshipFieldSpecExtractor.java).
 */
export function relationshipsOf(aspect: string, value: JsonObject): readonly Relationship[] {
  const found: Relationship[] = [];
  collect(value, recordOfAspect(aspect), found);
  return found;
}

function collect(value: Json, type: string, found: Relationship[]): void {
  const inner = type.slice(1, -1);
  if (type.startsWith("[")) return eachOf(value, (entry) => collect(entry, inner, found));
  if (type.startsWith("{")) return eachOf(value, (entry) => collect(entry, inner, found));
  if (!isJsonObject(value)) return;
  for (const [name, field] of fieldsOf(type) ?? []) {
    const part = value[name];
    if (part === undefined || part === null) continue;
    if (field.relationships.size === 0) collect(part, field.type, found);
    for (const [path, relationship] of field.relationships)
      atPath(part, path === "" ? [] : path.split("/"), (urn) => found.push({ type: relationship, urn }));
  }
}

function atPath(value: Json, [step, ...rest]: readonly string[], found: (urn: string) => void): void {
  if (step === undefined) {
    if (typeof value === "string") found(value);
  } else if (step === "*") eachOf(value, (entry) => atPath(entry, rest, found));
  else if (isJsonObject(value)) atPath(value[step] ?? null, rest, found);
}

function eachOf(value: Json, work: (entry: Json) => void): void {
  const entries = Array.isArray(value)
    ? (value as readonly Json[])
    : isJsonObject(value)
      ? Object.values(value)
      : [];
  for (const entry of entries) if (entry !== undefined) work(entry);
}
