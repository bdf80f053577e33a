import type { JsonObject } from "../../model/json.ts";
import { aspectClassRows, entityTypeRows, timeseriesAspects } from "./entity-registry.ts";

/** One entity type of DataHub's registry. */
export interface EntityType {
  readonly name: string;
  readonly keyAspect: string;
  readonly keyFields: readonly string[];
  readonly aspects: ReadonlySet<string>;
}

const entityTypes: ReadonlyMap<string, EntityType> = new Map(
  entityTypeRows.map(([name, keyAspect, keyFields, aspects]) => [
    name,
    {
      name,
      keyAspect,
      keyFields: keyFields.split(" "),
      aspects: new Set([keyAspect, ...aspects.split(" ")]),
    },
  ]),
);

const aspectsByClass: ReadonlyMap<string, string> = new Map(
  aspectClassRows.map(([aspect, className]) => [`com.linkedin.${className}`, aspect]),
);

const classesByAspect: ReadonlyMap<string, string> = new Map(
  aspectClassRows.map(([aspect, className]) => [aspect, `com.linkedin.${className}`]),
);

/** The entity type that a URN names, by its text alone; undefined when the registry has none. */
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

/** The entity type with this name, in whatever case; undefined when the registry has none. */
export function entityTypeNamed(name: string): EntityType | undefined {
  return entityTypesByLowerName.get(name.toLowerCase());
}

/** The aspect that a class of `com.linkedin.…` holds; undefined when the registry has none. */
export function aspectOfClass(className: string): string | undefined {
  return aspectsByClass.get(className);
}

/** The class of `com.linkedin.…` that holds an aspect; undefined when the registry has none. */
export function classOfAspect(aspect: string): string | undefined {
  return classesByAspect.get(aspect);
}

/** Whether DataHub keeps the aspect as points in time, outside its primary store. */
export function isTimeseries(aspect: string): boolean {
  return timeseriesAspects.has(aspect);
}

/**
 * The key aspect of a URN: the parts of its key under their names. Undefined when the number of parts is not
 * the type's (entity-registry EntityKeyUtils.convertUrnToEntityKey).
 */
export function keyAspectOf(type: EntityType, urn: string): JsonObject | undefined {
  const key = urn.slice(`urn:li:${type.name}:`.length);
  const [first = ""] = type.keyFields;
  if (type.keyFields.length === 1) return { [first]: key };
  const parts = key.startsWith("(") && key.endsWith(")") ? topLevelParts(key.slice(1, -1)) : [];
  if (parts.length !== type.keyFields.length) return undefined;
  return Object.fromEntries(type.keyFields.map((field, index) => [field, parts[index]]));
}

// A part may be a URN with commas of its own, in brackets.
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
