/** What the kinds of manifests of policies and waivers are called: no kinds of entities. */
export const policyKind = "Policy";
export const waiverKind = "Waiver";

/** The type of policies among what editors complete, beside the types of entities. */
export const policyType = "policy";

/** The name under which the schema of policies for a kind of entity is kept. */
export function policySchemaName(kind: string): string {
  return `${kind}${policyKind}`;
}
