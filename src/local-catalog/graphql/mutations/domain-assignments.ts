/** Mutations that set and unset the domains that entities belong to. */

import { entityExists } from "../../store/aspect-write.ts";
import { isOfType } from "../../registry/entity-urn.ts";
import { badRequest } from "../errors.ts";
import { requireUrn, optionalUrn, type InputMutation, type Mutation } from "./mutation.ts";
import { checkTarget, type Target } from "./target.ts";
import type { RequestContext } from "../request-context.ts";
import { writeAsUser } from "../write-as-user.ts";

interface SetDomainArgs {
  readonly entityUrn: string;
  readonly domainUrn: string;
}

interface BatchSetDomainInput {
  readonly domainUrn?: string | null;
  readonly resources: readonly Target[];
}

/** Sets an entity's domain. Checks first that the domain exists, and then that the entity exists (SetDomainResolver.java). */
export const setDomain: Mutation<SetDomainArgs> = (args, context) => {
  const entityUrn = requireUrn(args.entityUrn);
  const domainUrn = requireUrn(args.domainUrn);
  const refuse = (reason: string): never => {
    throw badRequest(`Failed to add Entity ${entityUrn} to Domain ${domainUrn}. ${reason}`);
  };
  if (!isOfType(domainUrn, "domain")) refuse("Expected a domain urn.");
  if (!entityExists(context.store, domainUrn)) refuse("Domain does not exist.");
  if (!entityExists(context.store, entityUrn)) refuse("Entity does not exist.");
  writeDomains(context, entityUrn, [domainUrn]);
  return true;
};

/**
 * Unsets an entity's domain. If the entity does not exist, the error message is an internal message from Java's formatter,
 * because DataHub's message template has one placeholder too many (UnsetDomainResolver.java).
 */
export const unsetDomain: Mutation<{ readonly entityUrn: string }> = (args, context) => {
  const entityUrn = requireUrn(args.entityUrn);
  if (!entityExists(context.store, entityUrn)) throw badRequest("Format specifier '%s'");
  writeDomains(context, entityUrn, []);
  return true;
};

/**
 * Sets the domain of each resource, or unsets it if the input has no domain. Checks first that the entity with the domain's URN
 * exists, but not that it is a domain. Then checks that all resources exist (BatchSetDomainResolver.java).
 */
export const batchSetDomain: InputMutation<BatchSetDomainInput> = ({ input }, context) => {
  const domainUrn = optionalUrn(input.domainUrn);
  if (domainUrn !== undefined && !entityExists(context.store, domainUrn))
    throw badRequest(`Failed to validate Domain with urn ${domainUrn}. Urn does not exist.`);
  for (const resource of input.resources) {
    requireUrn(resource.resourceUrn);
    checkTarget(resource, context);
  }
  for (const { resourceUrn } of input.resources)
    writeDomains(context, resourceUrn, domainUrn === undefined ? [] : [domainUrn]);
  return true;
};

function writeDomains(context: RequestContext, entityUrn: string, domains: readonly string[]): void {
  const before = context.store.latest(entityUrn, "domains")?.value;
  writeAsUser(context, entityUrn, "domains", { ...before, domains });
}
