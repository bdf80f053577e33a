/** Defines the names of policies and waivers in manifests and schemas. */

/** The `kind` values for policies and waivers, which are not entity kinds. */
export const policyKind = "Policy";
export const waiverKind = "Waiver";

/** The type name under which editors complete policies, in addition to the entity types. */
export const policyType = "policy";

/** Returns the name of the policy schema for an entity kind. */
export function policySchemaName(kind: string): string {
  return `${kind}${policyKind}`;
}
