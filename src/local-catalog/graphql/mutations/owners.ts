/** Mutations that add and remove owners, and a function that makes the creator of an entity its owner. */

import type { JsonObject } from "../../../model/json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { isOfType } from "../../registry/entity-urn.ts";
import { badRequest } from "../errors.ts";
import { objectsAt, stringAt } from "../../json.ts";
import { requireUrn, optionalUrn, userStamp, type InputMutation } from "./mutation.ts";
import { ownershipTypeOf, systemOwnershipType } from "../../store/ownership-type.ts";
import type { RequestContext } from "../request-context.ts";
import { checkTarget, type Target } from "./target.ts";
import { writeAsUser } from "../write-as-user.ts";

/** An owner to add. The ownership type is a URN or a legacy enum value. */
export interface OwnerInput {
  readonly ownerUrn: string;
  readonly ownerEntityType: "CORP_USER" | "CORP_GROUP";
  readonly type?: string | null;
  readonly ownershipTypeUrn?: string | null;
}

type AddOwner = InputMutation<OwnerInput & { readonly resourceUrn: string }>;

interface NewOwners {
  readonly owners: readonly OwnerInput[];
}

interface Resources {
  readonly resources: readonly (Target | null)[];
}

interface TypeToRemove {
  readonly ownershipTypeUrn?: string | null;
}

/** Makes the requesting user a technical owner, without checking that the user exists (OwnerUtils.addCreatorAsOwner). */
export function addCreator(resourceUrn: string, context: RequestContext): void {
  writeAdded(context, resourceUrn, [
    { ownerUrn: context.actor, ownerEntityType: "CORP_USER", type: "TECHNICAL_OWNER" },
  ]);
}

/**
 * Adds an owner, or replaces an existing entry with the same owner and type. Checks the owner but not the resource, because
 * AddOwnerResolver.java passes the owner to the check instead of the resource. A misspelled resource URN therefore creates an
 * entity.
 */
export const addOwner: AddOwner = ({ input }, context) => {
  requireUrn(input.ownerUrn);
  const resourceUrn = requireUrn(input.resourceUrn);
  checkOwner(input, context);
  writeAdded(context, resourceUrn, [input]);
  return true;
};

/** Adds owners to an existing resource (AddOwnersResolver.java). */
export const addOwners: InputMutation<NewOwners & { readonly resourceUrn: string }> = (
  { input: { owners, resourceUrn } },
  context,
) => {
  requireUrn(resourceUrn);
  for (const owner of owners) {
    checkResource(resourceUrn, context);
    checkOwner(owner, context);
  }
  writeAdded(context, resourceUrn, owners);
  return true;
};

/** Adds owners to each resource. Checks the owners first, and then the resources (BatchAddOwnersResolver.java). */
export const batchAddOwners: InputMutation<NewOwners & Resources> = ({ input }, context) => {
  for (const owner of input.owners) checkOwner(owner, context);
  const resources = requireEntities(input.resources, "applied to", context);
  for (const resourceUrn of resources) writeAdded(context, resourceUrn, input.owners);
  return true;
};

type RemoveOwner = InputMutation<TypeToRemove & { readonly ownerUrn: string; readonly resourceUrn: string }>;

/**
 * Removes an owner with the given type, or with any type if the input has none. It is not an error if the owner is missing
 * (RemoveOwnerResolver.java).
 */
export const removeOwner: RemoveOwner = ({ input }, context) => {
  const ownerUrn = requireUrn(input.ownerUrn);
  const resourceUrn = requireUrn(input.resourceUrn);
  const typeUrn = optionalUrn(input.ownershipTypeUrn);
  checkResource(resourceUrn, context);
  writeRemoved(context, resourceUrn, [ownerUrn], typeUrn);
  return true;
};

type BatchRemoveOwners = InputMutation<TypeToRemove & Resources & { readonly ownerUrns: readonly string[] }>;

/**
 * Removes owners with the given type, or with any type if the input has none, from each resource. Checks that all resources
 * exist, but does not check the owners (BatchRemoveOwnersResolver.java).
 */
export const batchRemoveOwners: BatchRemoveOwners = ({ input }, context) => {
  const ownerUrns = input.ownerUrns.map(requireUrn);
  const typeUrn = optionalUrn(input.ownershipTypeUrn);
  for (const resourceUrn of requireEntities(input.resources, "removed from", context))
    writeRemoved(context, resourceUrn, ownerUrns, typeUrn);
  return true;
};

/** Checks that all resources exist and are not columns, and returns their URNs. */
function requireEntities(
  resources: readonly (Target | null)[],
  verb: string,
  context: RequestContext,
): readonly string[] {
  const given = resources.filter((resource) => resource !== null);
  for (const { resourceUrn, subResourceType, subResource } of given) {
    if (typeof subResource === "string")
      throw badRequest(`Malformed input provided: owners cannot be ${verb} subresources.`);
    checkTarget({ resourceUrn: requireUrn(resourceUrn), subResourceType }, context);
  }
  return given.map(({ resourceUrn }) => resourceUrn);
}

function writeAdded(context: RequestContext, resourceUrn: string, added: readonly OwnerInput[]): void {
  writeOwners(context, resourceUrn, (before) => added.reduce(withOwner, before));
}

function writeRemoved(
  context: RequestContext,
  resourceUrn: string,
  ownerUrns: readonly string[],
  typeUrn: string | undefined,
): void {
  writeOwners(context, resourceUrn, (owners) =>
    owners.filter((owner) => !ownerUrns.some((ownerUrn) => isOwner(owner, ownerUrn, typeUrn))),
  );
}

function withOwner(owners: readonly JsonObject[], input: OwnerInput): readonly JsonObject[] {
  const { ownerUrn } = input;
  const type = input.type ?? "NONE";
  const typeUrn = input.ownershipTypeUrn ?? systemOwnershipType(type);
  return [
    ...owners.filter((owner) => !isOwner(owner, ownerUrn, typeUrn)),
    { owner: ownerUrn, type, typeUrn, source: { type: "MANUAL" } },
  ];
}

function writeOwners(
  context: RequestContext,
  resourceUrn: string,
  change: (owners: readonly JsonObject[]) => readonly JsonObject[],
): void {
  const before = context.store.latest(resourceUrn, "ownership")?.value;
  const owners = change(objectsAt(before, "owners"));
  const lastModified = userStamp(context);
  writeAsUser(context, resourceUrn, "ownership", { ...before, owners, lastModified });
}

// A stored owner without a type URN has the type that corresponds to its legacy enum value. If `typeUrn` is undefined, any type
// matches (OwnerServiceUtils.isOwnerEqual).
function isOwner(owner: JsonObject, ownerUrn: string, typeUrn: string | undefined): boolean {
  if (stringAt(owner, "owner") !== ownerUrn) return false;
  return typeUrn === undefined || ownershipTypeOf(owner) === typeUrn;
}

function checkResource(resourceUrn: string, context: RequestContext): void {
  if (!entityExists(context.store, resourceUrn))
    throw badRequest(`Failed to change ownership for resource ${resourceUrn}. Resource does not exist.`);
}

function checkOwner(input: OwnerInput, context: RequestContext): void {
  const { ownerEntityType } = input;
  const ownerUrn = requireUrn(input.ownerUrn);
  if (ownerEntityType === "CORP_GROUP" && !isOfType(ownerUrn, "corpGroup"))
    refuse(`Expected a corp group urn, found ${ownerUrn}`);
  if (ownerEntityType === "CORP_USER" && !isOfType(ownerUrn, "corpuser"))
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
