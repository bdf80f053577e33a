/** Mutations that create and move domains, and the checks for their names and children. */

import type { AspectReader } from "../../store/aspect-reader.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { isWithin } from "../../store/tree.ts";
import { badRequest, conflict } from "../errors.ts";
import { stringAt } from "../../json.ts";
import {
  newUrn,
  requireUrn,
  optionalUrn,
  userStamp,
  type InputMutation,
  type NewEntity,
} from "./mutation.ts";
import { isOfType } from "../../registry/entity-urn.ts";
import { addOwners, type OwnerInput } from "./owners.ts";
import { writeAsUser } from "../write-as-user.ts";

type CreateDomainInput = NewEntity & {
  readonly parentDomain?: string | null;
  readonly owners?: readonly OwnerInput[] | null;
};

interface MoveDomainInput {
  readonly parentDomain?: string | null;
  readonly resourceUrn: string;
}

/**
 * Creates a domain. No other child of its parent may have the same name. The owners are added afterward. If they are invalid, the
 * domain is kept (CreateDomainResolver.java).
 */
export const createDomain: InputMutation<CreateDomainInput, string | null> = ({ input }, context) => {
  const parentDomain = optionalUrn(input.parentDomain);
  const urn = newUrn("domain", "Domain", input.id, context);
  if (urn === null) return null;
  if (parentDomain !== undefined && !entityExists(context.store, parentDomain))
    throw badRequest("Parent Domain does not exist!");
  if (isNameTaken(context.index, input.name, parentDomain ?? null)) throw nameTakenError(input.name);
  const { name, description } = input;
  const created = userStamp(context);
  context.store.transaction(() =>
    writeAsUser(context, urn, "domainProperties", { name, description, created, parentDomain }),
  );
  const owners = input.owners ?? [];
  if (owners.length > 0)
    context.store.transaction(() => addOwners({ input: { owners, resourceUrn: urn } }, context));
  return urn;
};

/** Moves a domain to a different parent or to the root (MoveDomainResolver.java). */
export const moveDomain: InputMutation<MoveDomainInput> = ({ input }, context) => {
  const { store } = context;
  const urn = requireUrn(input.resourceUrn);
  const parentDomain = optionalUrn(input.parentDomain);
  if (!isOfType(urn, "domain")) throw badRequest("Resource is not a domain.");
  const before = store.latest(urn, "domainProperties")?.value;
  if (!before) throw badRequest("Domain properties do not exist.");
  if (parentDomain !== undefined) {
    if (!isOfType(parentDomain, "domain")) throw badRequest("Parent entity is not a domain.");
    if (!entityExists(store, parentDomain)) throw badRequest("Parent entity does not exist.");
    if (isWithin(parentDomain, urn, context.reader))
      throw badRequest("Cannot move a domain under itself or one of its descendants.");
  }
  const name = stringAt(before, "name") ?? "";
  if (isNameTaken(context.index, name, parentDomain ?? null))
    throw conflict(`"${name}" already exists in the destination domain. Please pick a unique name.`);
  writeAsUser(context, urn, "domainProperties", { ...before, parentDomain });
  return true;
};

/** Creates the error for a domain name that is already in use under the same parent. */
export function nameTakenError(name: string): Error {
  return conflict(`"${name}" already exists in this domain. Please pick a unique name.`);
}

/** Whether a domain has children, according to the index. */
export function hasChildDomains(index: AspectReader, urn: string): boolean {
  let found = false;
  index.eachContaining(urn, (_child, aspect, value) => {
    if (aspect === "domainProperties" && stringAt(value, "parentDomain") === urn) found = true;
  });
  return found;
}

/**
 * Whether a child of `parent`, or a root domain if `parent` is null, has this name. The check does not exclude the domain that
 * the mutation changes (DomainUtils.hasNameConflict).
 */
export function isNameTaken(index: AspectReader, name: string, parent: string | null): boolean {
  const domains = [...index.aspectUnder("urn:li:domain:", "domainProperties").values()];
  return domains.some((each) => stringAt(each, "parentDomain") === parent && each["name"] === name);
}
