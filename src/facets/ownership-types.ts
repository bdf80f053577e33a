/** Names and URNs of ownership types: DataHub's system types, and its older enum. */

const prefix = "urn:li:ownershipType:__system__";

/** The types that every server has as entities (bootstrap_mcps/ownership-types.yaml). */
const systemTypes = ["TECHNICAL_OWNER", "BUSINESS_OWNER", "DATA_STEWARD", "NONE"];

/** Values of DataHub's older enum without an entity. */
const enumOnlyTypes = ["DATAOWNER", "DEVELOPER", "DELEGATE", "PRODUCER", "STAKEHOLDER", "CONSUMER"];

/** Manifests cannot write `CUSTOM`: DataHub uses it for custom types, which have URNs. */
const typesWithoutEntity: readonly string[] = [...enumOnlyTypes, "CUSTOM"];

/** The names of ownership types in manifests. */
export const ownershipTypeNames: readonly string[] = [...systemTypes, ...enumOnlyTypes];

/** The URNs of the types that every server has as entities. */
export const systemOwnershipTypes: readonly string[] = systemTypes.map(urnOfOwnershipTypeName);

/** Whether a text is one of the names in another case, or with other separators. */
export function isOwnershipTypeName(text: string): boolean {
  return ownershipTypeNames.includes(text.toUpperCase().replaceAll(/[\s-]+/g, "_"));
}

/** The URN that DataHub uses for a name of the older enum (OwnerMapper.java). */
export function urnOfOwnershipTypeName(name: string): string {
  return prefix + name.toLowerCase();
}

/** The name in the older enum for a URN; `undefined` if the enum does not have it. */
export function enumNameOf(urn: string): string | undefined {
  return urn.startsWith(prefix) ? urn.slice(prefix.length).toUpperCase() : undefined;
}

/** The name of an ownership type in manifests, or its URN if it has none. */
export function nameOfOwnershipType(urn: string): string {
  return ownershipTypeNames.find((name) => urnOfOwnershipTypeName(name) === urn) ?? urn;
}

/** Whether the type can exist as an entity. Values of the enum alone cannot. */
export function isOwnershipTypeEntity(urn: string): boolean {
  return !typesWithoutEntity.some((name) => urnOfOwnershipTypeName(name) === urn);
}

/**
 * The fields of `addOwner` for a type. System types are sent as name and URN, so that old readers see the right enum; other values
 * of the enum as name; custom types as URN, which the server stores with `NONE`.
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
