/** Defines how to read the display names of entities from the catalog. */

import { kinds } from "../kinds/index.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { entityTypeOf, type Urn } from "../model/urn.ts";
import { nameOfOwnershipType } from "./ownership-types.ts";

/** How to read the display names for one entity type. */
export interface DisplayName {
  /** The entity type, spelled as in URNs. */
  readonly entityType: string;
  readonly typename: string;
  /** The value of DataHub's EntityType enum, for searches. */
  readonly searchType: string;
  readonly plural: string;
  /** The stored aspect that contains the name. If absent, `selection` is used. */
  readonly aspect?: string;
  /** The fields to select on the entity, as a GraphQL selection. */
  readonly selection?: string;
  /** The path to the display name in the response. The field `aspects` of the response contains the stored aspects. */
  readonly path: readonly string[];
}

/** The entity types that have display names. They include ownership types, which manifests can refer to but not declare. */
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

/** Whether the catalog can have a display name for a URN. Plans show DataHub's own ownership types by their short names. */
export function canHaveDisplayName(urn: Urn): boolean {
  return types.has(entityTypeOf(urn)) && nameOfOwnershipType(urn) === urn;
}

/** Returns how to read the display names of an entity type; `undefined` if it has none. */
export function displayNamesOf(type: string): DisplayName | undefined {
  return displayNames.find(({ entityType }) => entityType === type);
}

/** Reads the display name from a response; `undefined` if there is none. */
export function displayNameIn(urn: Urn, entity: JsonObject): string | undefined {
  let value: unknown = entity;
  for (const key of displayNamesOf(entityTypeOf(urn))?.path ?? [])
    value = isJsonObject(value) ? value[key] : undefined;
  return typeof value === "string" ? value : undefined;
}
