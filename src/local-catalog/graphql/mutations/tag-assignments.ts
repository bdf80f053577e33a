import type { Json, JsonObject } from "../../../model/json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { badRequest } from "../errors.ts";
import { objectAt, objectsAt } from "../../json.ts";
import { requireUrn, writeAsUser, type Mutation } from "./mutation.ts";
import type { RequestContext } from "../request-context.ts";
import { withColumnInfo } from "./column-info.ts";
import { checkTarget, type Target, withSiblings } from "./target.ts";

interface AddTagsArgs {
  readonly input: Target & { readonly tagUrns: readonly string[] };
}

interface RemoveTagArgs {
  readonly input: Target & { readonly tagUrn: string };
}

interface BatchTagsArgs {
  readonly input: { readonly tagUrns: readonly string[]; readonly resources: readonly (Target | null)[] };
}

type TagChange = (tags: readonly JsonObject[]) => readonly JsonObject[];

/** Adds tags to an entity or a column; tags that it already has are not changed (AddTagsResolver.java). */
export const addTags: Mutation<AddTagsArgs> = ({ input }, context) => {
  const tagUrns = input.tagUrns.map(requireUrn);
  requireUrn(input.resourceUrn);
  for (const tagUrn of tagUrns) {
    checkTag(tagUrn, context);
    checkTarget(input, context);
  }
  changeTags(context, [input], adding(tagUrns));
  return true;
};

/** Adds one tag to an entity or a column (AddTagResolver.java). */
export const addTag: Mutation<RemoveTagArgs> = ({ input: { tagUrn, ...target } }, context) =>
  addTags({ input: { ...target, tagUrns: [tagUrn] } }, context);

/**
 * Adds tags to each resource (BatchAddTagsResolver.java). Tags are checked first, then all resources, then everything is
 * written. As in DataHub, of several columns of one dataset only the last one gets its tags. If the only resource is a
 * column that cannot be tagged, the siblings of its dataset are tried.
 */
export const batchAddTags: Mutation<BatchTagsArgs> = ({ input }, context) => {
  const tagUrns = input.tagUrns.map(requireUrn);
  for (const tagUrn of tagUrns) checkTag(tagUrn, context);
  const resources = given(input.resources);
  const apply = (targets: readonly Target[]): void => {
    for (const target of targets) checkTarget(target, context);
    changeTags(context, targets, adding(tagUrns));
  };
  const [only, ...others] = resources;
  if (only && others.length === 0 && typeof only.subResource === "string")
    withSiblings(only, context, (target) => apply([target]));
  else apply(resources);
  return true;
};

/**
 * Removes tags from each resource, with the same limitation for columns (BatchRemoveTagsResolver.java). Tags are not
 * checked.
 */
export const batchRemoveTags: Mutation<BatchTagsArgs> = ({ input }, context) => {
  const tagUrns = new Set<Json | undefined>(input.tagUrns.map(requireUrn));
  const resources = given(input.resources);
  for (const target of resources) checkTarget(target, context);
  changeTags(context, resources, (tags) => tags.filter((entry) => !tagUrns.has(entry["tag"])));
  return true;
};

/**
 * Removes all associations of a tag, whoever made them (RemoveTagResolver.java). The column must exist, the tag need not.
 * Only `globalTags` and `editableSchemaMetadata` are changed. So the result is true even if the tag remains visible
 * from ingestion or from the schema-field entity.
 */
export const removeTag: Mutation<RemoveTagArgs> = ({ input }, context) => {
  const tagUrn = requireUrn(input.tagUrn);
  requireUrn(input.resourceUrn);
  checkTarget(input, context);
  if (!tagUrn.startsWith("urn:li:tag:")) throw badRequest(`Failed to remove ${tagUrn}. It is not a tag urn.`);
  changeTags(context, [input], (tags) => tags.filter((entry) => entry["tag"] !== tagUrn));
  return true;
};

function given(resources: readonly (Target | null)[]): readonly Target[] {
  const targets = resources.filter((target) => target !== null);
  for (const { resourceUrn } of targets) requireUrn(resourceUrn);
  return targets;
}

function adding(tagUrns: readonly string[]): TagChange {
  return (tags) => {
    const known = new Set(tags.map((entry) => entry["tag"]));
    const added = [...new Set(tagUrns)].filter((tag) => !known.has(tag));
    return [...tags, ...added.map((tag) => ({ tag }))];
  };
}

// All new values are computed before the first write, and the last value for an aspect wins.
function changeTags(context: RequestContext, targets: readonly Target[], change: TagChange): void {
  const writes = new Map<string, () => void>();
  for (const { resourceUrn: urn, subResource } of targets) {
    const column = subResource ?? "";
    const aspect = column === "" ? "globalTags" : "editableSchemaMetadata";
    const before = context.store.latest(urn, aspect)?.value ?? {};
    const after = column === "" ? withTags(before, change) : withColumnTags(before, column, change);
    writes.set(`${aspect} ${urn}`, () => writeAsUser(context, urn, aspect, after));
  }
  for (const write of writes.values()) write();
}

function withColumnTags(schema: JsonObject, column: string, change: TagChange): JsonObject {
  return withColumnInfo(schema, column, (info) => ({
    ...info,
    globalTags: withTags(objectAt(info, "globalTags") ?? {}, change),
  }));
}

function withTags(tags: JsonObject, change: TagChange): JsonObject {
  return { ...tags, tags: change(objectsAt(tags, "tags")) };
}

function checkTag(tagUrn: string, context: RequestContext): void {
  if (!tagUrn.startsWith("urn:li:tag:"))
    throw badRequest(
      `Failed to validate label with urn ${tagUrn}. Urn type does not match entity type tag..`,
    );
  if (!entityExists(context.store, tagUrn))
    throw badRequest(`Failed to validate label with urn ${tagUrn}. Urn does not exist.`);
}
