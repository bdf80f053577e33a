/** Finds and removes the references to an entity. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { objectsAt } from "../json.ts";
import type { AspectStore, AuditTrail } from "./aspect-store.ts";
import { writeAspect } from "./aspect-write.ts";

/** An aspect that refers to an entity, and its value without the references. The value is undefined if nothing remains. */
interface ReferringAspect {
  readonly urn: string;
  readonly aspect: string;
  readonly rest: JsonObject | undefined;
}

/** The name of the aspect that contains structured property values. */
export const valuesAspect = "structuredProperties";

/** Options for reading aspects that may contain references. */
interface Reading {
  /** Whether to read an entity's aspects; by default, all entities are read. */
  readonly among?: (referrer: string) => boolean;
  /** Returns the value to use for an aspect; by default, the stored value. */
  readonly read?: (referrer: string, aspect: string, value: JsonObject) => JsonObject;
}

/**
 * Finds the aspects that refer to an entity, in all other entities or in the entities that `among` selects
 * (DeleteEntityService.java). Removing a reference removes the list entry or the field that contains it, and the entire aspect if
 * no field remains. URNs that are not relationships in DataHub's models are kept.
 */
export function referringAspects(
  store: AspectStore,
  urn: string,
  { among = () => true, read = (_referrer, _aspect, value) => value }: Reading = {},
): readonly ReferringAspect[] {
  const referring: ReferringAspect[] = [];
  store.eachContaining(urn, (referrer, aspect, stored) => {
    if (referrer === urn || !among(referrer)) return;
    const value = read(referrer, aspect, stored);
    const rest = aspect === valuesAspect ? withoutProperty(value, urn) : without(value, urn);
    if (rest !== value) referring.push({ urn: referrer, aspect, rest });
  });
  return referring;
}

/** Removes the references to an entity from the given aspects, either from all or from none. */
export function removeReferences(
  store: AspectStore,
  referring: readonly ReferringAspect[],
  audit: AuditTrail,
): void {
  store.transaction(() => {
    for (const { urn, aspect, rest } of referring) {
      if (rest) writeAspect(store, { urn, aspect, value: rest }, audit);
      else store.deleteAspect(urn, aspect);
    }
  });
}

// The URNs in these fields are not relationships. The fields contain authors in stamps and attributions, and the replacement for
// a deprecated entity.
const unrelated = new Set([
  "actor",
  "attribution",
  "created",
  "lastModified",
  "auditStamp",
  "impersonator",
  "replacement",
]);

// A reference in one of these fields is optional, so the list entry remains after the reference is removed (Owner.pdl).
const optionalInEntries = new Set(["typeUrn"]);

/** Removes one structured property's values. URNs in values are not relationships. */
function withoutProperty(value: JsonObject, urn: string): JsonObject {
  const properties = objectsAt(value, "properties");
  const kept = properties.filter(({ propertyUrn }) => propertyUrn !== urn);
  return kept.length === properties.length ? value : { ...value, properties: kept };
}

/** Removes the references from an object. Returns the same object if it has none, and undefined if nothing remains. */
function without(value: JsonObject, urn: string): JsonObject | undefined {
  const entries = Object.entries(value).map(([key, part]) => [key, partWithout(key, part, urn)] as const);
  if (entries.every(([key, part]) => part === value[key])) return value;
  const kept = entries.filter(([, part]) => part !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function partWithout(key: string, part: Json | undefined, urn: string): Json | undefined {
  if (unrelated.has(key)) return part;
  if (key === urn || part === urn) return undefined;
  if (isJsonList(part)) return listWithout(part, urn);
  return isJsonObject(part) ? without(part, urn) : part;
}

function listWithout(list: readonly Json[], urn: string): readonly Json[] {
  const kept = list.flatMap((entry): readonly Json[] => {
    if (entry === urn) return [];
    if (isJsonList(entry)) return [listWithout(entry, urn)];
    if (!isJsonObject(entry)) return [entry];
    if (isAbout(entry, urn)) return [];
    const rest = without(entry, urn);
    return rest ? [rest] : [];
  });
  return kept.length === list.length && kept.every((entry, index) => entry === list[index]) ? list : kept;
}

function isAbout(entry: JsonObject, urn: string): boolean {
  return Object.entries(entry).some(
    ([key, part]) => part === urn && !unrelated.has(key) && !optionalInEntries.has(key),
  );
}
