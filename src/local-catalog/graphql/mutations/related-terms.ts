/** Mutations that add and remove relationships between glossary terms. */

import { entityExists } from "../../store/aspect-write.ts";
import { isOfType } from "../../registry/entity-urn.ts";
import { stringsAt } from "../../json.ts";
import { badRequest, serverError } from "../errors.ts";
import { requireGlossaryEntity } from "./glossary.ts";
import { requireUrn, type InputMutation } from "./mutation.ts";
import type { RequestContext } from "../request-context.ts";
import { writeAsUser } from "../write-as-user.ts";

interface RelatedTermsInput {
  readonly urn: string;
  readonly termUrns: readonly string[];
  readonly relationshipType: "isA" | "hasA";
}

const aspect = "glossaryRelatedTerms";

/**
 * The lists that mutations can change. The aspect's other lists, `values` and `relatedTerms`, can only be changed by a proposal.
 */
const lists = { isA: "isRelatedTerms", hasA: "hasRelatedTerms" } as const;

/**
 * Relates a term to other terms, and changes only the term's own aspect (AddRelatedTermsResolver.java). All terms must exist. If
 * all relationships already exist, the mutation writes nothing.
 */
export const addRelatedTerms: InputMutation<RelatedTermsInput> = ({ input }, context) => {
  const { urn, termUrns, list, before = {} } = read(input, context);
  for (const other of termUrns) checkRelated(urn, other, context);
  const known = stringsAt(before, list);
  const added = termUrns.filter((other) => !known.includes(other));
  if (added.length > 0) writeAsUser(context, urn, aspect, { ...before, [list]: [...known, ...added] });
  return true;
};

/** Removes a term's relationships. Fails if the term never had relationships of this type (RemoveRelatedTermsResolver.java). */
export const removeRelatedTerms: InputMutation<RelatedTermsInput> = ({ input }, context) => {
  const { urn, termUrns, list, before } = read(input, context);
  const refuse = (reason: string): never => {
    throw serverError(`Failed to removes related terms from ${urn}`, reason);
  };
  if (!before) return refuse(`Related Terms for this Urn do not exist: ${urn}`);
  if (before[list] === undefined)
    return refuse("Failed to remove from GlossaryRelatedTerms as they do not exist for this Glossary Term");
  const rest = stringsAt(before, list).filter((other) => !termUrns.includes(other));
  writeAsUser(context, urn, aspect, { ...before, [list]: rest });
  return true;
};

function read(input: RelatedTermsInput, { store }: RequestContext) {
  const urn = requireUrn(input.urn);
  requireGlossaryEntity(urn);
  const termUrns = input.termUrns.map(requireUrn);
  if (!isOfType(urn, "glossaryTerm") || !entityExists(store, urn))
    throw badRequest(`Failed to update ${urn}. ${urn} either does not exist or is not a glossaryTerm.`);
  return { urn, termUrns, list: lists[input.relationshipType], before: store.latest(urn, aspect)?.value };
}

function checkRelated(urn: string, other: string, { store }: RequestContext): void {
  const refuse = (reason: string): never => {
    throw badRequest(`Failed to update ${urn}. ${reason}`);
  };
  if (other === urn) refuse("Tried to create related term with itself.");
  if (!isOfType(other, "glossaryTerm")) refuse(`${other} is not a glossaryTerm.`);
  if (!entityExists(store, other)) refuse(`${other} does not exist.`);
}
