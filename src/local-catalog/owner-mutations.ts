import type { JsonObject } from "../model/json.ts";
import { entityExists } from "./aspect-write.ts";
import { badRequest } from "./graphql-error.ts";
import { objectsAt, textAt } from "./json-parts.ts";
import { givenUrn, userStamp, writeAsUser, type Mutation } from "./mutation.ts";
import { ownershipTypeOf, systemOwnershipType } from "./ownership-type.ts";
import type { RequestContext } from "./request-context.ts";
import { checkTarget } from "./mutation-target.ts";

interface AddOwnerArgs {
  readonly input: {
    readonly ownerUrn: string;
    readonly ownerEntityType: "CORP_USER" | "CORP_GROUP";
    readonly type?: string | null;
    readonly ownershipTypeUrn?: string | null;
    readonly resourceUrn: string;
  };
}

interface BatchRemoveOwnersArgs {
  readonly input: {
    readonly ownerUrns: readonly string[];
    readonly ownershipTypeUrn?: string | null;
    readonly resources: readonly (ResourceRef | null)[];
  };
}

interface ResourceRef {
  readonly resourceUrn: string;
  readonly subResourceType?: string | null;
  readonly subResource?: string | null;
}

/**
 * Adds an owner, in place of the same owner with the same type. The owner is checked; the resource is not: a
 * mistyped URN becomes an entity (AddOwnerResolver.java passes the owner where the resource belongs).
 */
export const addOwner: Mutation<AddOwnerArgs> = ({ input }, context) => {
  const ownerUrn = givenUrn(input.ownerUrn);
  const resourceUrn = givenUrn(input.resourceUrn);
  checkOwner(input, context);
  const type = input.type ?? "NONE";
  const typeUrn = input.ownershipTypeUrn ?? systemOwnershipType(type);
  writeOwners(context, resourceUrn, (owners) => [
    ...owners.filter((owner) => !isOwner(owner, ownerUrn, typeUrn)),
    { owner: ownerUrn, type, typeUrn, source: { type: "MANUAL" } },
  ]);
  return true;
};

/**
 * Removes owners of one type, or of every type when none is given, from each resource. Resources are checked
 * before anything is written; owners are not (BatchRemoveOwnersResolver.java).
 */
export const batchRemoveOwners: Mutation<BatchRemoveOwnersArgs> = ({ input }, context) => {
  const ownerUrns = input.ownerUrns.map(givenUrn);
  const typeUrn = optionalUrn(input.ownershipTypeUrn);
  const resources = input.resources.filter((resource) => resource !== null);
  for (const { resourceUrn, subResourceType, subResource } of resources) {
    if (typeof subResource === "string")
      throw badRequest("Malformed input provided: owners cannot be removed from subresources.");
    checkTarget({ resourceUrn: givenUrn(resourceUrn), subResourceType }, context);
  }
  for (const { resourceUrn } of resources)
    writeOwners(context, resourceUrn, (owners) =>
      owners.filter((owner) => !ownerUrns.some((ownerUrn) => isOwner(owner, ownerUrn, typeUrn))),
    );
  return true;
};

function writeOwners(
  context: RequestContext,
  resourceUrn: string,
  change: (owners: readonly JsonObject[]) => readonly JsonObject[],
): void {
  const before = context.store.latest(resourceUrn, "ownership")?.value;
  const owners = change(objectsAt(before, "owners"));
  const lastModified = userStamp(context.now());
  writeAsUser(context, resourceUrn, "ownership", { ...before, owners, lastModified });
}

// A stored owner without a type of its own counts under its old enum; no wanted type matches any
// (OwnerServiceUtils.isOwnerEqual).
function isOwner(owner: JsonObject, ownerUrn: string, typeUrn: string | undefined): boolean {
  if (textAt(owner, "owner") !== ownerUrn) return false;
  return typeUrn === undefined || ownershipTypeOf(owner) === typeUrn;
}

function checkOwner(
  { ownerUrn, ownerEntityType, ...input }: AddOwnerArgs["input"],
  context: RequestContext,
): void {
  if (ownerEntityType === "CORP_GROUP" && !ownerUrn.startsWith("urn:li:corpGroup:"))
    refuse(`Expected a corp group urn, found ${ownerUrn}`);
  if (ownerEntityType === "CORP_USER" && !ownerUrn.startsWith("urn:li:corpuser:"))
    refuse(`Expected a corp user urn, found ${ownerUrn}.`);
  if (!entityExists(context.store, ownerUrn)) refuse(`Owner with urn ${ownerUrn} does not exist.`);
  const typeUrn = optionalUrn(input.ownershipTypeUrn);
  if (typeUrn !== undefined && !entityExists(context.store, typeUrn))
    refuse(`Custom Ownership type with urn ${typeUrn} does not exist.`);
  if (typeUrn === undefined && (input.type ?? undefined) === undefined)
    refuse("Expected either type or ownershipTypeUrn to be specified.");
}

function refuse(reason: string): never {
  throw badRequest(`Failed to change ownership for resource(s). ${reason}`);
}

function optionalUrn(text: string | null | undefined): string | undefined {
  return typeof text === "string" ? givenUrn(text) : undefined;
}
