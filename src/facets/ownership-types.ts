/** Converts between the names and URNs of ownership types: DataHub's system types, and its older enum. */

const prefix = "urn:li:ownershipType:__system__";

/** The types that every server has as entities (bootstrap_mcps/ownership-types.yaml). */
const systemTypes = ["TECHNICAL_OWNER", "BUSINESS_OWNER", "DATA_STEWARD", "NONE"];

/** The values in DataHub's older enum that have no entity. */
const enumOnlyTypes = ["DATAOWNER", "DEVELOPER", "DELEGATE", "PRODUCER", "STAKEHOLDER", "CONSUMER"];

/** The types without an entity. Manifests cannot write `CUSTOM`, which DataHub uses for custom types with URNs. */
const typesWithoutEntity: readonly string[] = [...enumOnlyTypes, "CUSTOM"];

/** The ownership type names that manifests can use. */
export const ownershipTypeNames: readonly string[] = [...systemTypes, ...enumOnlyTypes];

/** The URNs of the types that every server has as entities. */
export const systemOwnershipTypes: readonly string[] = systemTypes.map(urnOfOwnershipTypeName);

/** Whether a text is one of the names with different case or separators. */
export function isOwnershipTypeName(text: string): boolean {
  return ownershipTypeNames.includes(text.toUpperCase().replaceAll(/[\s-]+/g, "_"));
}

/** Returns the URN that DataHub uses for a name in the older enum (OwnerMapper.java). */
export function urnOfOwnershipTypeName(name: string): string {
  return prefix + name.toLowerCase();
}

/** Returns a URN's name in the older enum; `undefined` if the enum does not have it. */
export function enumNameOf(urn: string): string | undefined {
  return urn.startsWith(prefix) ? urn.slice(prefix.length).toUpperCase() : undefined;
}

/** Returns an ownership type's name for manifests, or its URN if it has no name. */
export function nameOfOwnershipType(urn: string): string {
  return ownershipTypeNames.find((name) => urnOfOwnershipTypeName(name) === urn) ?? urn;
}

/** Whether the type can exist as an entity. Types that are only in the enum cannot. */
export function isOwnershipTypeEntity(urn: string): boolean {
  return !typesWithoutEntity.some((name) => urnOfOwnershipTypeName(name) === urn);
}

/**
 * Returns the fields that `addOwner` needs for a type: name and URN for system types, so that old readers see the right enum; the
 * name for other enum values; the URN for custom types, which the server stores with `NONE`.
 */
export function ownershipTypeInput(urn: string): {
  readonly type?: string;
  readonly ownershipTypeUrn?: string;
} {
  const name = enumNameOf(urn);
  if (name !== undefined && typesWithoutEntity.includes(name)) return { type: name };
  return name !== undefined && systemTypes.includes(name)
    ? { type: name, ownershipTypeUrn: urn }
    : { ownershipTypeUrn: urn };
}
