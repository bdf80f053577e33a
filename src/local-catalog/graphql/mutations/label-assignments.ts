/** Mutations that add and remove tags and terms on entities and columns. */

import { addLabels, checkLabel, type Label, removeLabels, tag, term } from "./labels.ts";
import { isOfType } from "../../registry/entity-urn.ts";
import { requireUrn, type InputMutation } from "./mutation.ts";
import { checkTarget, type Target, withSiblings } from "./target.ts";

interface Labels {
  readonly tagUrn?: string;
  readonly tagUrns?: readonly string[];
  readonly termUrn?: string;
  readonly termUrns?: readonly string[];
}

type AssignInput = Target & Labels;

type BatchAssignInput = Labels & { readonly resources: readonly (Target | null)[] };

/** The label mutations, keyed by name. */
export const labelAssignments = {
  addTag: adding(tag),
  addTags: adding(tag),
  batchAddTags: addingToEach(tag),
  removeTag: removing(tag),
  batchRemoveTags: removing(tag),
  addTerm: adding(term),
  addTerms: adding(term),
  batchAddTerms: addingToEach(term),
  removeTerm: removing(term),
  batchRemoveTerms: removing(term),
};

/**
 * Adds labels to an entity or a column (AddTagsResolver.java, AddTermsResolver.java). Does not change existing labels. Stores a
 * label twice if the request lists it twice.
 */
function adding(label: Label): InputMutation<AssignInput> {
  return ({ input }, context) => {
    const urns = urnsOf(input);
    requireUrn(input.resourceUrn);
    for (const urn of urns) {
      checkLabel(urn, label, context);
      checkTarget(input, context);
    }
    addLabels([input], label, { urns, context });
    return true;
  };
}

/**
 * Adds labels to each resource (BatchAddTagsResolver.java, BatchAddTermsResolver.java). Checks the labels first, then checks the
 * resources, and then writes all changes. As in DataHub, if several columns belong to one dataset, only the last column gets its
 * labels. If the only resource is a column and adding the labels fails, the mutation tries the same column in the dataset's
 * siblings.
 */
function addingToEach(label: Label): InputMutation<BatchAssignInput> {
  return ({ input }, context) => {
    const urns = urnsOf(input);
    for (const urn of urns) checkLabel(urn, label, context);
    const resources = given(input.resources);
    const apply = (targets: readonly Target[]): void => {
      for (const target of targets) checkTarget(target, context);
      addLabels(targets, label, { urns, context });
    };
    const [only, ...others] = resources;
    if (only && others.length === 0 && typeof only.subResource === "string")
      withSiblings(only, context, (target) => apply([target]));
    else apply(resources);
    return true;
  };
}

/**
 * Removes labels from one or more resources, regardless of who added them (RemoveTagResolver.java, BatchRemoveTagsResolver.java,
 * and the resolvers for terms). A column must exist, but a label need not. Changes only the entity's own aspect and
 * `editableSchemaMetadata`, so the label may remain in the ingested schema or on the schema-field entity. If several columns
 * belong to one dataset, only the last column loses its labels. For a single resource, the result is false if one of the URNs
 * does not belong to a label of this type.
 */
function removing(label: Label): InputMutation<AssignInput | BatchAssignInput> {
  return ({ input }, context) => {
    const urns = urnsOf(input);
    const targets = given("resources" in input ? input.resources : [input]);
    for (const target of targets) checkTarget(target, context);
    if (!("resources" in input) && !urns.every((urn) => isOfType(urn, label.type))) return false;
    removeLabels(targets, label, { urns, context });
    return true;
  };
}

function urnsOf({ tagUrn, termUrn, tagUrns, termUrns }: Labels): readonly string[] {
  const one = tagUrn ?? termUrn;
  const urns = one === undefined ? (tagUrns ?? termUrns ?? []) : [one];
  return urns.map(requireUrn);
}

function given(resources: readonly (Target | null)[]): readonly Target[] {
  const targets = resources.filter((target) => target !== null);
  for (const { resourceUrn } of targets) requireUrn(resourceUrn);
  return targets;
}
