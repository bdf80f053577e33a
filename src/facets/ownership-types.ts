const prefix = "urn:li:ownershipType:__system__";

/** The ownership types that exist as entities on every server (bootstrap_mcps/ownership-types.yaml). */
const systemTypes = ["TECHNICAL_OWNER", "BUSINESS_OWNER", "DATA_STEWARD", "NONE"];

/** Values of DataHub's older enum that have no entity behind them. */
const enumOnlyTypes = ["DATAOWNER", "DEVELOPER", "DELEGATE", "PRODUCER", "STAKEHOLDER", "CONSUMER"];

/** All values of that enum without an entity. Manifests cannot say `CUSTOM`: it stands for a type of one's own, which is named. */
const typesWithoutEntity: readonly string[] = [...enumOnlyTypes, "CUSTOM"];

/** The names by which an ownership type can be written in a manifest. */
export const ownershipTypeNames: readonly string[] = [...systemTypes, ...enumOnlyTypes];

/** The URNs of the ownership types that exist as entities on every server. */
export const systemOwnershipTypes: readonly string[] = systemTypes.map(urnOfOwnershipTypeName);

/** Whether a text is one of the names in another case, or with other characters between its words. */
export function isOwnershipTypeName(text: string): boolean {
  return ownershipTypeNames.includes(text.toUpperCase().replaceAll(/[\s-]+/g, "_"));
}

/** The URN by which DataHub reads an owner of the older enum (OwnerMapper.java). */
export function urnOfOwnershipTypeName(name: string): string {
  return prefix + name.toLowerCase();
}

/** The name in the older enum that DataHub reads as the URN; `undefined` for types that it never had. */
export function enumNameOf(urn: string): string | undefined {
  return urn.startsWith(prefix) ? urn.slice(prefix.length).toUpperCase() : undefined;
}

/** The short name of an ownership type where it has one, else its URN. */
export function nameOfOwnershipType(urn: string): string {
  return ownershipTypeNames.find((name) => urnOfOwnershipTypeName(name) === urn) ?? urn;
}

/** Whether the type can exist as an entity: those of the enum alone do not. */
export function isOwnershipTypeEntity(urn: string): boolean {
  return !typesWithoutEntity.some((name) => urnOfOwnershipTypeName(name) === urn);
}

/**
 * The type as `addOwner` needs it: for a system type both ways, so that old readers see the right enum;
 * for the enum's other values only by name; for a custom type only by URN, which the server stores beside NONE.
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
