/** Resolves all mutations, and rejects users who may not write. Runs most mutations in a transaction. */

import { catalogUser, systemUser } from "../../store/audit.ts";
import { unauthorized } from "../errors.ts";
import {
  batchAddToDataProducts,
  batchRemoveFromDataProducts,
  batchSetDataProduct,
  createDataProduct,
  deleteDataProduct,
  updateDataProduct,
} from "./data-products.ts";
import {
  batchUpdateSoftDeleted,
  deleteDomain,
  deleteEntity,
  deleteGlossaryEntity,
  deleteOwnershipType,
} from "./deletions.ts";
import { batchUpdateDeprecation, updateDeprecation } from "./deprecation.ts";
import { createDomain, moveDomain } from "./domain-definitions.ts";
import { batchSetDomain, setDomain, unsetDomain } from "./domain-assignments.ts";
import { createGlossaryNode, createGlossaryTerm, updateParentNode } from "./glossary.ts";
import { addGroupMembers, createGroup, removeGroupMembers } from "./groups.ts";
import { labelAssignments } from "./label-assignments.ts";
import { addLink, removeLink, updateLink } from "./links.ts";
import type { Mutation } from "./mutation.ts";
import { assetUpdates, updateDescription, updateName } from "./names-and-descriptions.ts";
import { addOwner, addOwners, batchAddOwners, batchRemoveOwners, removeOwner } from "./owners.ts";
import { updateCorpGroupProperties, updateCorpUserProperties } from "./profiles.ts";
import { addRelatedTerms, removeRelatedTerms } from "./related-terms.ts";
import type { RequestContext } from "../request-context.ts";
import {
  createStructuredProperty,
  deleteStructuredProperty,
  removeStructuredProperties,
  updateStructuredProperty,
  upsertStructuredProperties,
} from "./structured-properties.ts";
import { createTag, setTagColor } from "./tag-definitions.ts";

type Mutations = Readonly<Record<string, Mutation<never, unknown>>>;

const atomic: Mutations = {
  moveDomain,
  deleteDomain,
  setDomain,
  unsetDomain,
  batchSetDomain,
  addOwner,
  addOwners,
  batchAddOwners,
  removeOwner,
  batchRemoveOwners,
  deleteOwnershipType,
  createTag,
  setTagColor,
  deleteTag: deleteEntity,
  ...labelAssignments,
  createGlossaryTerm,
  createGlossaryNode,
  updateParentNode,
  addRelatedTerms,
  removeRelatedTerms,
  deleteGlossaryEntity,
  ...assetUpdates,
  updateName,
  updateDescription,
  createGroup,
  removeGroup: deleteEntity,
  removeUser: deleteEntity,
  updateCorpUserProperties,
  updateCorpGroupProperties,
  batchUpdateSoftDeleted,
  createDataProduct,
  updateDataProduct,
  deleteDataProduct,
  batchSetDataProduct,
  batchAddToDataProducts,
  batchRemoveFromDataProducts,
  createStructuredProperty,
  updateStructuredProperty,
  deleteStructuredProperty,
  upsertStructuredProperties,
  removeStructuredProperties,
  addLink,
  updateLink,
  removeLink,
  updateDeprecation,
  batchUpdateDeprecation,
};

// If one of these mutations fails, DataHub keeps the writes that the mutation has already made.
const stepwise: Mutations = { createDomain, addGroupMembers, removeGroupMembers };

/** The users who may write: DataHub's root user, who has all privileges, and DataHub's system user. */
const mayWrite: ReadonlySet<string> = new Set([catalogUser, systemUser]);

type MutationResolver = (source: unknown, args: never, context: RequestContext) => unknown;

/**
 * The resolvers for the type Mutation. Each resolver writes everything or nothing, except for mutations that DataHub runs in
 * steps. Each resolver first clears the caches of the request's readers, so that the mutation reads the stored values.
 */
export const mutations: Readonly<Record<string, MutationResolver>> = Object.fromEntries(
  Object.entries({ ...atomic, ...stepwise }).map(([name, mutate]): [string, MutationResolver] => [
    name,
    (_source, args, context) => {
      if (!mayWrite.has(context.actor)) throw unauthorized();
      context.reader.clear();
      context.index.clear();
      const run = (): unknown => mutate(args, context);
      return name in stepwise ? run() : context.store.transaction(run);
    },
  ]),
);
