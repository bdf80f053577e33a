/** Mutations that delete entities permanently, or soft-delete and restore them. */

import { entityExists } from "../../store/aspect-write.ts";
import { badRequest, serverError } from "../errors.ts";
import { requireUrn, type InputMutation, type Mutation } from "./mutation.ts";
import { hasChildDomains } from "./domain-definitions.ts";
import { requireGlossaryEntity } from "./glossary.ts";
import { scheduleReferenceRemoval } from "../../store/removals.ts";
import type { RequestContext } from "../request-context.ts";
import { writeAsUser, userAudit } from "../write-as-user.ts";

interface UrnArgs {
  readonly urn: string;
}

interface DeleteOwnershipTypeArgs extends UrnArgs {
  readonly deleteReferences?: boolean | null;
}

/**
 * Permanently deletes an entity and all references to it. It is not an error if the entity does not exist. Like DataHub's
 * resolvers for tags, users and groups, this mutation does not check the URN's type (DeleteTagResolver.java,
 * RemoveUserResolver.java, RemoveGroupResolver.java).
 */
export const deleteEntity: Mutation<UrnArgs> = (args, context) => {
  const urn = requireUrn(args.urn);
  scheduleReferenceRemoval(context, urn, userAudit(context));
  context.store.deleteEntity(urn);
  return true;
};

interface SoftDeleteInput {
  readonly urns: readonly string[];
  readonly deleted: boolean;
}

/** Soft-deletes or restores entities (BatchUpdateSoftDeletedResolver.java). All entities must exist. */
export const batchUpdateSoftDeleted: InputMutation<SoftDeleteInput> = ({ input }, context) => {
  const urns = input.urns.map(requireUrn);
  for (const urn of urns)
    if (!entityExists(context.store, urn))
      throw badRequest(`Failed to update ${urn}. Entity does not exist.`);
  for (const urn of urns) markRemoved(context, urn, input.deleted);
  return true;
};

/** Deletes a domain that has no children (DeleteDomainResolver.java). */
export const deleteDomain: Mutation<UrnArgs> = (args, context) => {
  const urn = requireUrn(args.urn);
  if (hasChildDomains(context.index, urn))
    throw serverError(
      `Failed to perform delete against domain with urn ${urn}`,
      `Cannot delete domain ${urn} which has child domains`,
    );
  return deleteEntity({ urn }, context);
};

/**
 * Deletes a glossary term or node without checking for children (DeleteGlossaryEntityResolver.java). Children that are already in
 * the index move to the root, because the deletion removes all references to the deleted entity.
 */
export const deleteGlossaryEntity: Mutation<UrnArgs> = (args, context) => {
  const urn = requireUrn(args.urn);
  requireGlossaryEntity(urn);
  if (!entityExists(context.store, urn)) throw serverError(`This urn does not exist: ${urn}`);
  return deleteEntity({ urn }, context);
};

/**
 * Deletes an ownership type and, by default, the references to it. The affected owners then have the type that corresponds to
 * their legacy enum value. System types are only soft-deleted (OwnershipTypeService.deleteOwnershipType).
 */
export const deleteOwnershipType: Mutation<DeleteOwnershipTypeArgs> = (args, context) => {
  const urn = requireUrn(args.urn);
  if (urn.startsWith("urn:li:ownershipType:__system__")) {
    markRemoved(context, urn, true);
    return true;
  }
  if (args.deleteReferences ?? true) return deleteEntity({ urn }, context);
  context.store.deleteEntity(urn);
  return true;
};

function markRemoved(context: RequestContext, urn: string, removed: boolean): void {
  const before = context.store.latest(urn, "status")?.value;
  writeAsUser(context, urn, "status", { ...before, removed });
}
