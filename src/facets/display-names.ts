import { kinds } from "../kinds/index.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { entityTypeOf, type Urn } from "../model/urn.ts";
import { nameOfOwnershipType } from "./ownership-types.ts";

/** How the display name of entities of one type is read from the catalog. */
export interface DisplayName {
  /** The entity type as URNs spell it. */
  readonly entityType: string;
  readonly typename: string;
  /** Its value of DataHub's enum EntityType, by which a search names it. */
  readonly searchType: string;
  /** What several of its entities are called. */
  readonly plural: string;
  /** The raw aspect that has it, where it is read from one. */
  readonly aspect?: string;
  /** Else what to select of the entity, as GraphQL text. */
  readonly selection?: string;
  /** The way to it in the answered entity; `aspects` there has the raw aspects by name. */
  readonly path: readonly string[];
}

/** The entity types whose entities have display names. Manifests refer to ownership types, but do not define them. */
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

/** Whether the catalog can know a display name for a URN. Plans show DataHub's own ownership types by their short names. */
export function canHaveDisplayName(urn: Urn): boolean {
  return types.has(entityTypeOf(urn)) && nameOfOwnershipType(urn) === urn;
}

/** How the display names of the entities of a type are read; `undefined` where they have none. */
export function displayNamesOf(type: string): DisplayName | undefined {
  return displayNames.find(({ entityType }) => entityType === type);
}

/** The display name in an answered entity; `undefined` where it has none. */
export function displayNameIn(urn: Urn, entity: JsonObject): string | undefined {
  let value: unknown = entity;
  for (const key of displayNamesOf(entityTypeOf(urn))?.path ?? [])
    value = isJsonObject(value) ? value[key] : undefined;
  return typeof value === "string" ? value : undefined;
}
