/** Finds relationships between entities based on the URNs in their aspects. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { AspectReader } from "./aspect-reader.ts";
import { fieldsOf, recordOfAspect } from "../registry/aspect-records.ts";

/** A URN that an aspect refers to, and the relationship's type. */
export interface Relationship {
  readonly type: string;
  readonly urn: string;
}

/**
 * Finds the relationships in an aspect, using the annotations in DataHub's models. An outer annotation replaces inner annotations
 * (entity-registry RelationshipFieldSpecExtractor.java).
 */
export function relationshipsOf(aspect: string, value: JsonObject): readonly Relationship[] {
  const found: Relationship[] = [];
  collect(value, recordOfAspect(aspect), found);
  return found;
}

/** Finds the relationships to or from an entity. Each combination of type and URN occurs once. */
export function relatedTo(
  urn: string,
  direction: "INCOMING" | "OUTGOING",
  isWanted: (type: string) => boolean,
  reader: AspectReader,
): readonly Relationship[] {
  const edges = new Map<string, Relationship>();
  const note = (type: string, other: string): void => {
    if (isWanted(type)) edges.set(`${type} ${other}`, { type, urn: other });
  };
  if (direction === "INCOMING")
    reader.eachContaining(urn, (referrer, aspect, value) => {
      for (const found of relationshipsOf(aspect, value)) if (found.urn === urn) note(found.type, referrer);
    });
  else
    for (const aspect of reader.aspectNames(urn))
      for (const found of relationshipsOf(aspect, reader.aspect(urn, aspect) ?? {}))
        note(found.type, found.urn);
  return [...edges.values()];
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
  const entries = isJsonList(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  for (const entry of entries) if (entry !== undefined) work(entry);
}
