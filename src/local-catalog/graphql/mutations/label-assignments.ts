/** Mutations that add and remove labels on entities and columns. DataHub uses the word "label" for tags and glossary terms. */

import type { JsonObject } from "../../../model/json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { isOfType } from "../../registry/entity-urn.ts";
import { badRequest } from "../errors.ts";
import { objectAt, objectsAt } from "../../json.ts";
import { requireUrn, userStamp, type InputMutation } from "./mutation.ts";
import type { RequestContext } from "../request-context.ts";
import { checkTarget, type Target, withColumnInfo, withSiblings } from "./target.ts";
import { writeAsUser } from "../write-as-user.ts";

/** A label type, and the aspect and keys under which labels of this type are stored. */
interface Label {
  readonly type: "tag" | "glossaryTerm";
  readonly aspect: "globalTags" | "glossaryTerms";
  /** The aspect's list of labels. In each entry, the field that `key` specifies contains the label's URN. */
  readonly list: "tags" | "terms";
  readonly key: "tag" | "urn";
}

const tag: Label = { type: "tag", aspect: "globalTags", list: "tags", key: "tag" };

const term: Label = { type: "glossaryTerm", aspect: "glossaryTerms", list: "terms", key: "urn" };

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
    addLabels([input], label, urns, context);
    return true;
  };
}

/**
 * Adds labels to each resource (BatchAddTagsResolver.java, BatchAddTermsResolver.java). Checks the labels first, then checks the
 * resources, and then writes all changes. As in DataHub, if several of the columns belong to the same dataset, only
 * the last one gets its labels. If the only resource is a column and adding the labels fails, the mutation tries the same column in
 * the dataset's siblings.
 */
function addingToEach(label: Label): InputMutation<BatchAssignInput> {
  return ({ input }, context) => {
    const urns = urnsOf(input);
    for (const urn of urns) checkLabel(urn, label, context);
    const resources = given(input.resources);
    const apply = (targets: readonly Target[]): void => {
      for (const target of targets) checkTarget(target, context);
      addLabels(targets, label, urns, context);
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
 * `editableSchemaMetadata`, so the label may remain in the ingested schema or on the schema-field entity. If several of the
 * columns belong to the same dataset, only the last one loses its labels. For a single resource, the result is false if one of the URNs
 * does not belong to a label of this type.
 */
function removing(label: Label): InputMutation<AssignInput | BatchAssignInput> {
  return ({ input }, context) => {
    const urns = urnsOf(input);
    const targets = given("resources" in input ? input.resources : [input]);
    for (const target of targets) checkTarget(target, context);
    if (!("resources" in input) && !urns.every((urn) => isOfType(urn, label.type))) return false;
    const removed = new Set<unknown>(urns);
    // For a column, DataHub adds no audit stamp to the remaining terms, and rejects the write if there is no stamp from an earlier
    // addition.
    change(targets, label, context, (labels, isColumn) => {
      const rest = objectsAt(labels, label.list).filter((entry) => !removed.has(entry[label.key]));
      return { ...labels, ...(isColumn ? {} : stampOf(label, context)), [label.list]: rest };
    });
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

function addLabels(
  targets: readonly Target[],
  label: Label,
  urns: readonly string[],
  context: RequestContext,
): void {
  change(targets, label, context, (labels) => {
    const entries = objectsAt(labels, label.list);
    const known = new Set(entries.map((entry) => entry[label.key]));
    const added = urns.filter((urn) => !known.has(urn)).map((urn) => ({ [label.key]: urn }));
    return { ...labels, ...stampOf(label, context), [label.list]: [...entries, ...added] };
  });
}

function stampOf({ type }: Label, context: RequestContext): JsonObject {
  return type === "glossaryTerm" ? { auditStamp: userStamp(context) } : {};
}

/**
 * Changes the labels of entities and columns. Computes all new values before the first write. If several targets share an aspect,
 * only the last value is written.
 */
function change(
  targets: readonly Target[],
  { aspect }: Label,
  context: RequestContext,
  changed: (labels: JsonObject, isColumn: boolean) => JsonObject,
): void {
  const writes = new Map<string, () => void>();
  for (const { resourceUrn: urn, subResource } of targets) {
    const column = subResource ?? "";
    const written = column === "" ? aspect : "editableSchemaMetadata";
    const before = context.store.latest(urn, written)?.value ?? {};
    const after =
      column === ""
        ? changed(before, false)
        : withColumnInfo(before, column, (info) => ({
            ...info,
            [aspect]: changed(objectAt(info, aspect) ?? {}, true),
          }));
    writes.set(`${written} ${urn}`, () => writeAsUser(context, urn, written, after));
  }
  for (const write of writes.values()) write();
}

/**
 * Checks that a label exists and has the right type (LabelUtils.validateLabel).
 * @throws GraphQLError 400 with DataHub's message.
 */
function checkLabel(urn: string, label: Label, context: RequestContext): void {
  if (!isOfType(urn, label.type))
    throw badRequest(
      `Failed to validate label with urn ${urn}. Urn type does not match entity type ${label.type}..`,
    );
  if (!entityExists(context.store, urn))
    throw badRequest(`Failed to validate label with urn ${urn}. Urn does not exist.`);
}
