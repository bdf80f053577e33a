/** Defines the names that manifests and schemas use for policies and waivers. */

/** The `kind` values for policies and waivers, which are not entity kinds. */
export const policyKind = "Policy";
export const waiverKind = "Waiver";

/** The type of policy ids in references. It is used like an entity type, although policies are not entities. */
export const policyType = "policy";

/** Returns the name of the policy schema for an entity kind. */
export function policySchemaName(kind: string): string {
  return `${kind}${policyKind}`;
}
