/** The names of policies and waivers in manifests and schemas. */

/** The kinds of manifests for policies and waivers, which are not kinds of entities. */
export const policyKind = "Policy";
export const waiverKind = "Waiver";

/** The type of policies that editors complete, next to the types of entities. */
export const policyType = "policy";

/** The name of the schema of policies for a kind of entity. */
export function policySchemaName(kind: string): string {
  return `${kind}${policyKind}`;
}
