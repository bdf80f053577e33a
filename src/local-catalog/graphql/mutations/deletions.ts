import type { JsonObject } from "../../../model/json.ts";
import { serverError } from "../errors.ts";
import { requireUrn, userAudit, writeAsUser, type Mutation } from "./mutation.ts";
import { childDomains } from "./domain-tree.ts";
import { removeReferences } from "../../store/references.ts";
import type { RequestContext } from "../request-context.ts";

interface UrnArgs {
  readonly urn: string;
}

interface DeleteOwnershipTypeArgs extends UrnArgs {
  readonly deleteReferences?: boolean | null;
}

/**
 * Removes an entity for good, and every reference to it at once; what is not there is removed as well. Like
 * DataHub's own resolvers for tags, users and groups it does not look at the type of the URN
 * (DeleteTagResolver.java, RemoveUserResolver.java, RemoveGroupResolver.java).
 */
export const deleteEntity: Mutation<UrnArgs> = (args, context) => {
  const urn = requireUrn(args.urn);
  context.store.deleteEntity(urn);
  removeReferences(context.store, urn, userAudit(context.now()));
  return true;
};

/** Removes a domain without children (DeleteDomainResolver.java). */
export const deleteDomain: Mutation<UrnArgs> = (args, context) => {
  const urn = requireUrn(args.urn);
  if (childDomains(context.store, urn).length > 0)
    throw serverError(
      `Failed to perform delete against domain with urn ${urn}. Root cause: Cannot delete domain ${urn} which has child domains`,
    );
  return deleteEntity({ urn }, context);
};

/**
 * Removes an ownership type, and unless told otherwise from the owners that have it, which then count under
 * their old enum. Those of the system are hidden only (OwnershipTypeService.deleteOwnershipType).
 */
export const deleteOwnershipType: Mutation<DeleteOwnershipTypeArgs> = (args, context) => {
  const urn = requireUrn(args.urn);
  if (urn.startsWith("urn:li:ownershipType:__system__")) {
    hide(context, urn);
    return true;
  }
  if (args.deleteReferences ?? true) return deleteEntity({ urn }, context);
  context.store.deleteEntity(urn);
  return true;
};

function hide(context: RequestContext, urn: string): void {
  const before: JsonObject | undefined = context.store.latest(urn, "status")?.value;
  writeAsUser(context, urn, "status", { ...before, removed: true });
}
