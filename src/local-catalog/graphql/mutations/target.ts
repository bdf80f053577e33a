/** Checks the entities or columns that mutations change, retries failed changes in sibling datasets, and edits column entries. */

import type { JsonObject } from "../../../model/json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { badRequest } from "../errors.ts";
import { objectsAt, stringsAt } from "../../json.ts";
import type { RequestContext } from "../request-context.ts";

/** The entity that a mutation changes, or the dataset column if `subResource` is set. */
export interface Target {
  readonly resourceUrn: string;
  readonly subResourceType?: string | null | undefined;
  readonly subResource?: string | null | undefined;
}

/**
 * Checks that the entity exists, and that the latest ingested schema contains the column's exact field path
 * (LabelUtils.validateResource, MutationUtils.validateSubresourceExists).
 * @throws GraphQLError 400 with DataHub's message.
 */
export function checkTarget(
  { resourceUrn, subResourceType, subResource }: Target,
  context: RequestContext,
): void {
  if (!entityExists(context.store, resourceUrn))
    throw badRequest(`Failed to update resource with urn ${resourceUrn}. Entity does not exist.`);
  const column = subResource ?? "";
  const hasType = typeof subResourceType === "string";
  if (column === "" && !hasType) return;
  if (column === "")
    throw badRequest(
      `Failed to update resource with urn ${resourceUrn}. SubResourceType (${subResourceType}) provided without a subResource.`,
    );
  if (!hasType)
    throw badRequest(
      `Failed to updates resource with urn ${resourceUrn}. SubResource (${column}) provided without a subResourceType.`,
    );
  checkColumn(resourceUrn, column, context);
}

/**
 * Checks that a dataset's latest ingested schema contains the column's exact field path.
 * @throws GraphQLError 400 with DataHub's message.
 */
export function checkColumn(dataset: string, column: string, context: RequestContext): void {
  const schema = context.store.latest(dataset, "schemaMetadata")?.value;
  const refuse = (reason: string): never => {
    throw badRequest(`Failed to update ${dataset} & field ${column}. ${reason}`);
  };
  if (!schema) refuse(`${dataset} has no schema.`);
  if (!objectsAt(schema, "fields").some((field) => field["fieldPath"] === column))
    refuse(`Field ${column} does not exist in the datasets schema.`);
}

/**
 * Tries a change on a column. If that fails, tries the same column in each of the dataset's siblings (SiblingsUtils.java).
 * @throws the error from the last attempt, when all attempts fail.
 */
export function withSiblings(
  target: Target,
  { store }: RequestContext,
  attempt: (target: Target) => void,
): void {
  const siblings = stringsAt(store.latest(target.resourceUrn, "siblings")?.value, "siblings");
  let failure: unknown;
  for (const resourceUrn of new Set([target.resourceUrn, ...siblings])) {
    try {
      return attempt({ ...target, resourceUrn });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * Changes one column's entry in an `editableSchemaMetadata` aspect. If the column has no entry, adds one, even if the change is
 * empty (MutationUtils.getFieldInfoFromSchema).
 */
export function withColumnInfo(
  schema: JsonObject,
  column: string,
  change: (info: JsonObject) => JsonObject,
): JsonObject {
  const infos = objectsAt(schema, "editableSchemaFieldInfo");
  const known = infos.findIndex((info) => info["fieldPath"] === column);
  const changed = change(infos[known] ?? { fieldPath: column });
  return { ...schema, editableSchemaFieldInfo: known < 0 ? [...infos, changed] : infos.with(known, changed) };
}
