import type { JsonObject } from "../../../model/json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { badRequest } from "../errors.ts";
import { objectAt, objectsAt } from "../../json.ts";
import { requireUrn, userStamp, writeAsUser, type Mutation } from "./mutation.ts";
import type { RequestContext } from "../request-context.ts";
import { withColumnInfo } from "./column-info.ts";
import { checkTarget, type Target, withSiblings } from "./target.ts";

/** What DataHub calls a label: tags and glossary terms, and where an entity or a column has them. */
interface Label {
  readonly type: "tag" | "glossaryTerm";
  readonly aspect: "globalTags" | "glossaryTerms";
  /** The list in that aspect, and the field of an entry with the label. */
  readonly list: "tags" | "terms";
  readonly key: "tag" | "urn";
}

const tag: Label = { type: "tag", aspect: "globalTags", list: "tags", key: "tag" };
const term: Label = { type: "glossaryTerm", aspect: "glossaryTerms", list: "terms", key: "urn" };

/** The labels of a request, one or several. */
interface Labels {
  readonly tagUrn?: string;
  readonly tagUrns?: readonly string[];
  readonly termUrn?: string;
  readonly termUrns?: readonly string[];
}

interface AssignArgs {
  readonly input: Target & Labels;
}

interface BatchAssignArgs {
  readonly input: Labels & { readonly resources: readonly (Target | null)[] };
}

/** The mutations that assign tags and terms, and remove them. */
export const labelAssignments = {
  addTag: adding(tag),
  addTags: adding(tag),
  batchAddTags: addingToEach(tag),
  removeTag: removing(tag),
  batchRemoveTags: removingFromEach(tag),
  addTerm: adding(term),
  addTerms: adding(term),
  batchAddTerms: addingToEach(term),
  removeTerm: removing(term),
  batchRemoveTerms: removingFromEach(term),
};

/**
 * Adds labels to an entity or a column (AddTagsResolver.java, AddTermsResolver.java). What is there is not changed. A label that
 * the request names twice is stored twice.
 */
function adding(label: Label): Mutation<AssignArgs> {
  return ({ input }, context) => {
    const urns = urnsOf(input);
    requireUrn(input.resourceUrn);
    for (const urn of urns) {
      checkLabel(urn, label, context);
      checkTarget(input, context);
    }
    addTo([input], label, { urns, context });
    return true;
  };
}

/**
 * Adds labels to each resource (BatchAddTagsResolver.java, BatchAddTermsResolver.java). Labels are checked first, then all
 * resources, then everything is written. As in DataHub, of several columns of one dataset only the last one gets its labels. If
 * the only resource is a column that cannot have them, the siblings of its dataset are tried.
 */
function addingToEach(label: Label): Mutation<BatchAssignArgs> {
  return ({ input }, context) => {
    const urns = urnsOf(input);
    for (const urn of urns) checkLabel(urn, label, context);
    const resources = given(input.resources);
    const apply = (targets: readonly Target[]): void => {
      for (const target of targets) checkTarget(target, context);
      addTo(targets, label, { urns, context });
    };
    const [only, ...others] = resources;
    if (only && others.length === 0 && typeof only.subResource === "string")
      withSiblings(only, context, (target) => apply([target]));
    else apply(resources);
    return true;
  };
}

/**
 * Removes all associations of a label, whoever made them (RemoveTagResolver.java, RemoveTermResolver.java). The column must
 * exist, the label need not. Only the entity's own aspect and `editableSchemaMetadata` are changed. So the result is true even if
 * the label remains visible from ingestion or from the schema-field entity. It is false for a URN of another type.
 */
function removing(label: Label): Mutation<AssignArgs> {
  return ({ input }, context) => {
    const urns = urnsOf(input);
    requireUrn(input.resourceUrn);
    checkTarget(input, context);
    if (!urns.every((urn) => isOf(urn, label))) return false;
    removeFrom([input], label, { urns, context });
    return true;
  };
}

/**
 * Removes labels from each resource, with the same limitation for columns (BatchRemoveTagsResolver.java,
 * BatchRemoveTermsResolver.java). Labels are not checked.
 */
function removingFromEach(label: Label): Mutation<BatchAssignArgs> {
  return ({ input }, context) => {
    const urns = urnsOf(input);
    const resources = given(input.resources);
    for (const target of resources) checkTarget(target, context);
    removeFrom(resources, label, { urns, context });
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

/** The labels of a change, and the request. */
interface Change {
  readonly urns: readonly string[];
  readonly context: RequestContext;
}

function addTo(targets: readonly Target[], label: Label, { urns, context }: Change): void {
  change(targets, label, context, (labels) => {
    const entries = objectsAt(labels, label.list);
    const known = new Set(entries.map((entry) => entry[label.key]));
    const added = urns.filter((urn) => !known.has(urn)).map((urn) => ({ [label.key]: urn }));
    return { ...labels, ...stampOf(label, context), [label.list]: [...entries, ...added] };
  });
}

// DataHub does not stamp the terms of a column when it removes some, and refuses terms that no addition has stamped.
function removeFrom(targets: readonly Target[], label: Label, { urns, context }: Change): void {
  const removed = new Set<unknown>(urns);
  change(targets, label, context, (labels, isColumn) => {
    const rest = objectsAt(labels, label.list).filter((entry) => !removed.has(entry[label.key]));
    return { ...labels, ...(isColumn ? {} : stampOf(label, context)), [label.list]: rest };
  });
}

function stampOf({ type }: Label, context: RequestContext): JsonObject {
  return type === "glossaryTerm" ? { auditStamp: userStamp(context) } : {};
}

// All new values are computed before the first write, and the last value for an aspect wins.
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

function checkLabel(urn: string, label: Label, context: RequestContext): void {
  if (!isOf(urn, label))
    throw badRequest(
      `Failed to validate label with urn ${urn}. Urn type does not match entity type ${label.type}..`,
    );
  if (!entityExists(context.store, urn))
    throw badRequest(`Failed to validate label with urn ${urn}. Urn does not exist.`);
}

function isOf(urn: string, { type }: Label): boolean {
  return urn.startsWith(`urn:li:${type}:`);
}
