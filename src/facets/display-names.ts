/** Finds the display names of entities in the catalog. */

import { kinds } from "../kinds/index.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { entityTypeOf, type Urn } from "../model/urn.ts";
import { nameOfOwnershipType } from "./ownership-types.ts";

/** How to read the display names for one entity type. */
export interface DisplayName {
  /** The entity type as URNs spell it. */
  readonly entityType: string;
  readonly typename: string;
  /** The type in DataHub's enum EntityType, for searches. */
  readonly searchType: string;
  /** The plural noun for the entities. */
  readonly plural: string;
  /** The stored aspect that contains the name. Without it, `selection` is used. */
  readonly aspect?: string;
  /** The GraphQL selection on the entity. */
  readonly selection?: string;
  /** The path to the name in the answer. Its `aspects` contains the stored aspects by name. */
  readonly path: readonly string[];
}

/** The entity types with display names, including ownership types, which manifests only refer to. */
export const displayNames: readonly DisplayName[] = [
  ...kinds.flatMap(
    ({
      entityType,
      typename,
      searchType,
      plural,
      displayName,
      storage,
      aspectFields,
    }): readonly DisplayName[] => {
      const place = displayName === undefined ? undefined : storage[displayName];
      if (!place) return [];
      const [aspect, field] = place;
      const from = aspectFields ? { selection: `__typename ${aspectFields.selection}` } : { aspect };
      return [{ entityType, typename, searchType, plural, ...from, path: ["aspects", aspect, field] }];
    },
  ),
  {
    entityType: "ownershipType",
    typename: "OwnershipTypeEntity",
    searchType: "CUSTOM_OWNERSHIP_TYPE",
    plural: "ownership types",
    selection: "info { name }",
    path: ["info", "name"],
  },
];

const types: ReadonlySet<string> = new Set(displayNames.map(({ entityType }) => entityType));

/** Whether the catalog can have a URN's display name. Plans show DataHub's own ownership types by their short names. */
export function canHaveDisplayName(urn: Urn): boolean {
  return types.has(entityTypeOf(urn)) && nameOfOwnershipType(urn) === urn;
}

/** Returns how to read a type's display names; `undefined` if it has none. */
export function displayNamesOf(type: string): DisplayName | undefined {
  return displayNames.find(({ entityType }) => entityType === type);
}

/** Reads the display name from an answer; `undefined` if there is none. */
export function displayNameIn(urn: Urn, entity: JsonObject): string | undefined {
  let value: unknown = entity;
  for (const key of displayNamesOf(entityTypeOf(urn))?.path ?? [])
    value = isJsonObject(value) ? value[key] : undefined;
  return typeof value === "string" ? value : undefined;
}
