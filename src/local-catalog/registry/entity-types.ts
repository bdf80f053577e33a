/** Finds entity types in DataHub's registry, converts between URNs and keys, and extracts the platform from a URN. */

import type { JsonObject } from "../../model/json.ts";
import { registryData } from "./registry-data.ts";

/** One entity type in DataHub's registry. */
export interface EntityType {
  readonly name: string;
  readonly keyAspect: string;
  readonly keyFields: readonly string[];
  readonly aspects: ReadonlySet<string>;
}

/** All entity types, keyed by name. */
export const entityTypes: ReadonlyMap<string, EntityType> = new Map(
  Object.entries(registryData.entities).map(([name, { keyAspect, keyFields, aspects }]) => [
    name,
    { name, keyAspect, keyFields, aspects: new Set([keyAspect, ...aspects]) },
  ]),
);

/** Returns a URN's entity type, or undefined if the type is not in the registry. Does not check the key. */
export function entityTypeOfUrn(urn: string): EntityType | undefined {
  if (!urn.startsWith("urn:li:")) return undefined;
  const end = urn.indexOf(":", 7);
  return end < 0 ? undefined : entityTypes.get(urn.slice(7, end));
}

/** The names of all entity types. */
export const entityTypeNames: readonly string[] = [...entityTypes.keys()];

const entityTypesByLowerName: ReadonlyMap<string, EntityType> = new Map(
  [...entityTypes.values()].map((type) => [type.name.toLowerCase(), type]),
);

/** Returns the entity type with the given name, ignoring case, or undefined if the type is not in the registry. */
export function entityTypeNamed(name: string): EntityType | undefined {
  return entityTypesByLowerName.get(name.toLowerCase());
}

/**
 * Converts a URN to its key aspect, which contains the parts of the key, keyed by field name. Returns undefined if the type
 * requires a different number of parts (entity-registry EntityKeyUtils.convertUrnToEntityKey).
 */
export function keyAspectOf(type: EntityType, urn: string): Readonly<Record<string, string>> | undefined {
  const key = urn.slice(`urn:li:${type.name}:`.length);
  const [first = ""] = type.keyFields;
  if (type.keyFields.length === 1) return { [first]: key };
  const parts = key.startsWith("(") && key.endsWith(")") ? topLevelParts(key.slice(1, -1)) : [];
  if (parts.length !== type.keyFields.length) return undefined;
  return Object.fromEntries(type.keyFields.map((field, index) => [field, parts[index] ?? ""]));
}

/**
 * Converts a key aspect to the entity's URN. Does not encode the parts of the key (entity-registry
 * EntityKeyUtils.convertEntityKeyToUrn).
 */
export function urnOfKey(typeName: string, key: JsonObject): string {
  const type = entityTypeNamed(typeName);
  const parts = (type?.keyFields ?? Object.keys(key)).map((field) => {
    const part = key[field] ?? "";
    return typeof part === "string" ? part : JSON.stringify(part);
  });
  const id = parts.length === 1 ? parts.join("") : `(${parts.join(",")})`;
  return `urn:li:${type?.name ?? typeName}:${id}`;
}

/** Returns the parts of a URN's key, keyed by field name. The result is empty if the URN is malformed. */
export function keyPartsOf(urn: string): Readonly<Record<string, string>> {
  const type = entityTypeOfUrn(urn);
  return (type && keyAspectOf(type, urn)) ?? {};
}

/** Returns the platform in a URN, or in the data flow URN nested inside it. Returns undefined if there is no platform. */
export function platformOf(urn: string): string | undefined {
  const { platform, dashboardTool, orchestrator, flow } = keyPartsOf(urn);
  if (flow !== undefined) return platformOf(flow);
  const name = platform ?? dashboardTool ?? orchestrator;
  return name === undefined || name.startsWith(platformPrefix) ? name : `${platformPrefix}${name}`;
}

const platformPrefix = "urn:li:dataPlatform:";

// Splits a URN's key at commas, except for commas inside the parentheses of a nested URN.
function topLevelParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}
