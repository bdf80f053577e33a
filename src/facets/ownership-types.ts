/** Converts between the names and URNs of ownership types: DataHub's system types, and the values of its older enum. */

const prefix = "urn:li:ownershipType:__system__";

/** The system types, which exist as entities on every server (bootstrap_mcps/ownership-types.yaml). */
const systemTypes = ["TECHNICAL_OWNER", "BUSINESS_OWNER", "DATA_STEWARD", "NONE"];

/** The values of DataHub's older enum that do not exist as entities. */
const enumOnlyTypes = ["DATAOWNER", "DEVELOPER", "DELEGATE", "PRODUCER", "STAKEHOLDER", "CONSUMER"];

/**
 * The types that do not exist as entities. Manifests cannot use `CUSTOM`, which DataHub stores for custom types that have a URN.
 */
const typesWithoutEntity: readonly string[] = [...enumOnlyTypes, "CUSTOM"];

/** The names of ownership types that manifests can use. */
export const ownershipTypeNames: readonly string[] = [...systemTypes, ...enumOnlyTypes];

/** The URNs of the system types, which exist as entities on every server. */
export const systemOwnershipTypes: readonly string[] = systemTypes.map(urnOfOwnershipTypeName);

/** Whether a string equals the name of an ownership type, ignoring case and separators. */
export function isOwnershipTypeName(text: string): boolean {
  return ownershipTypeNames.includes(text.toUpperCase().replaceAll(/[\s-]+/g, "_"));
}

/** Returns the URN that DataHub uses for a name in the older enum (OwnerMapper.java). */
export function urnOfOwnershipTypeName(name: string): string {
  return prefix + name.toLowerCase();
}

/** Returns the name in the older enum for a URN; `undefined` if the URN cannot have one. */
export function enumNameOf(urn: string): string | undefined {
  return urn.startsWith(prefix) ? urn.slice(prefix.length).toUpperCase() : undefined;
}

/** Returns the name of an ownership type in manifests, or its URN if it has no name. */
export function nameOfOwnershipType(urn: string): string {
  return ownershipTypeNames.find((name) => urnOfOwnershipTypeName(name) === urn) ?? urn;
}

/** Whether an ownership type can exist as an entity. Types that are only in the enum cannot. */
export function isOwnershipTypeEntity(urn: string): boolean {
  return !typesWithoutEntity.some((name) => urnOfOwnershipTypeName(name) === urn);
}

/**
 * Returns the input fields that `addOwner` needs for a type. System types need the name and the URN, so that older clients read
 * the correct enum value. Other enum values need only the name. Custom types need only the URN; the server stores them with
 * `NONE`.
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
