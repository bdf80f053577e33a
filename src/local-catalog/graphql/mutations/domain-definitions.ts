import { entityExists } from "../../store/aspect-write.ts";
import { isNameTaken } from "./domain-tree.ts";
import { isWithin } from "../../store/tree.ts";
import { badRequest, conflict } from "../errors.ts";
import { stringAt } from "../../json.ts";
import {
  requireUrn,
  requireUrnText,
  optionalUrn,
  userStamp,
  writeAsUser,
  type Mutation,
} from "./mutation.ts";
import { isValidUrn } from "../../registry/urn-syntax.ts";
import { addOwners, type OwnerInput } from "./owners.ts";

interface CreateDomainArgs {
  readonly input: {
    readonly id?: string | null;
    readonly name: string;
    readonly description?: string | null;
    readonly parentDomain?: string | null;
    readonly owners?: readonly OwnerInput[] | null;
  };
}

interface MoveDomainArgs {
  readonly input: { readonly parentDomain?: string | null; readonly resourceUrn: string };
}

/**
 * Creates a domain with a name that no other child of its parent has. Owners are added after that, and if they are invalid
 * the domain is kept (CreateDomainResolver.java).
 */
export const createDomain: Mutation<CreateDomainArgs, string | null> = ({ input }, context) => {
  const parentDomain = optionalUrn(input.parentDomain);
  const urn = requireUrnText(`urn:li:domain:${input.id ?? context.newId()}`);
  if (!isValidUrn(urn)) return null;
  context.store.transaction(() => {
    if (entityExists(context.store, urn)) throw badRequest("This Domain already exists!");
    if (parentDomain !== undefined && !entityExists(context.store, parentDomain))
      throw badRequest("Parent Domain does not exist!");
    if (isNameTaken(context.index, input.name, parentDomain ?? null)) throw nameTaken(input.name);
    writeAsUser(context, urn, "domainProperties", {
      name: input.name,
      ...(typeof input.description === "string" ? { description: input.description } : {}),
      created: userStamp(context),
      ...(parentDomain === undefined ? {} : { parentDomain }),
    });
  });
  const owners = input.owners ?? [];
  if (owners.length > 0)
    context.store.transaction(() => addOwners({ input: { owners, resourceUrn: urn } }, context));
  return urn;
};

/** Moves a domain to another parent, or to the root (MoveDomainResolver.java). */
export const moveDomain: Mutation<MoveDomainArgs> = ({ input }, context) => {
  const { store } = context;
  const urn = requireUrn(input.resourceUrn);
  const parentDomain = optionalUrn(input.parentDomain);
  if (!isDomain(urn)) throw badRequest("Resource is not a domain.");
  const before = store.latest(urn, "domainProperties")?.value;
  if (!before) throw badRequest("Domain properties do not exist.");
  if (parentDomain !== undefined) {
    if (!isDomain(parentDomain)) throw badRequest("Parent entity is not a domain.");
    if (!entityExists(store, parentDomain)) throw badRequest("Parent entity does not exist.");
    if (isWithin(parentDomain, urn, (each, aspect) => store.valueAt(each, aspect, 0)))
      throw badRequest("Cannot move a domain under itself or one of its descendants.");
  }
  const name = stringAt(before, "name") ?? "";
  if (isNameTaken(context.index, name, parentDomain ?? null))
    throw conflict(`"${name}" already exists in the destination domain. Please pick a unique name.`);
  const { parentDomain: _left, ...rest } = before;
  writeAsUser(context, urn, "domainProperties", {
    ...rest,
    ...(parentDomain === undefined ? {} : { parentDomain }),
  });
  return true;
};

/** The error for a name that another domain under the same parent has. */
export function nameTaken(name: string): Error {
  return conflict(`"${name}" already exists in this domain. Please pick a unique name.`);
}

function isDomain(urn: string): boolean {
  return urn.startsWith("urn:li:domain:");
}
