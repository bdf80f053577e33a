/** Mutations that deprecate entities and columns, or end their deprecation. */

import { entityExists } from "../../store/aspect-write.ts";
import { schemaFieldUrn } from "../entities/source.ts";
import { badRequest } from "../errors.ts";
import type { RequestContext } from "../request-context.ts";
import { optionalUrn, requireUrn, type InputMutation } from "./mutation.ts";
import { checkTarget, type Target } from "./target.ts";
import { writeAsUser } from "../write-as-user.ts";

interface DeprecationInput {
  readonly deprecated: boolean;
  readonly decommissionTime?: number | null;
  readonly note?: string | null;
  readonly replacement?: string | null;
}

/**
 * Deprecates an entity, or ends its deprecation. Omitted fields are cleared. If the input refers to a column, the mutation
 * ignores the column and deprecates the dataset (UpdateDeprecationResolver.java).
 */
export const updateDeprecation: InputMutation<DeprecationInput & { readonly urn: string }> = (
  { input },
  context,
) => {
  const urn = requireUrn(input.urn);
  if (!entityExists(context.store, urn))
    throw badRequest(`Failed to update deprecation for Entity ${urn}. Entity does not exist.`);
  writeDeprecation(urn, input, context);
  return true;
};

type BatchInput = DeprecationInput & { readonly resources: readonly (Target | null)[] };

/**
 * Checks all of the given entities and columns, and then deprecates them or ends their deprecation
 * (BatchUpdateDeprecationResolver.java, DeprecationUtils.java).
 */
export const batchUpdateDeprecation: InputMutation<BatchInput> = ({ input }, context) => {
  const targets = input.resources.filter((target) => target !== null);
  for (const target of targets)
    checkTarget({ ...target, resourceUrn: requireUrn(target.resourceUrn) }, context);
  for (const { resourceUrn, subResource } of targets)
    writeDeprecation(subResource ? schemaFieldUrn(resourceUrn, subResource) : resourceUrn, input, context);
  return true;
};

function writeDeprecation(urn: string, input: DeprecationInput, context: RequestContext): void {
  const { deprecated, decommissionTime, note } = input;
  writeAsUser(context, urn, "deprecation", {
    deprecated,
    decommissionTime: decommissionTime ?? undefined,
    note: note ?? "",
    actor: context.actor,
    replacement: optionalUrn(input.replacement),
  });
}
