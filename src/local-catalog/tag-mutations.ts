import type { JsonObject } from "../model/json.ts";
import { entityExists } from "./aspect-write.ts";
import { badRequest } from "./graphql-error.ts";
import { objectAt, objectsAt } from "./json-parts.ts";
import { givenUrn, writeAsUser, type Mutation } from "./mutation.ts";
import type { RequestContext } from "./request-context.ts";
import { checkTarget, type Target } from "./mutation-target.ts";

interface AddTagsArgs {
  readonly input: Target & { readonly tagUrns: readonly string[] };
}

interface RemoveTagArgs {
  readonly input: Target & { readonly tagUrn: string };
}

type TagChange = (tags: readonly JsonObject[]) => readonly JsonObject[];

/** Adds tags to an entity or a column, those that are there already left as they are (AddTagsResolver.java). */
export const addTags: Mutation<AddTagsArgs> = ({ input }, context) => {
  const tagUrns = input.tagUrns.map(givenUrn);
  givenUrn(input.resourceUrn);
  for (const tagUrn of tagUrns) {
    checkTag(tagUrn, context);
    checkTarget(input, context);
  }
  changeTags(context, input, (tags) => {
    const there = new Set(tags.map((entry) => entry["tag"]));
    const added = [...new Set(tagUrns)].filter((tag) => !there.has(tag));
    return [...tags, ...added.map((tag) => ({ tag }))];
  });
  return true;
};

/**
 * Removes each association of a tag, whoever made it. The column must exist for this as well, the tag need not.
 * Answers true also when the tag stays visible from ingestion or from the schema-field entity: only
 * `globalTags` and `editableSchemaMetadata` are ever changed (RemoveTagResolver.java).
 */
export const removeTag: Mutation<RemoveTagArgs> = ({ input }, context) => {
  const tagUrn = givenUrn(input.tagUrn);
  givenUrn(input.resourceUrn);
  checkTarget(input, context);
  if (!tagUrn.startsWith("urn:li:tag:")) throw badRequest(`Failed to remove ${tagUrn}. It is not a tag urn.`);
  changeTags(context, input, (tags) => tags.filter((entry) => entry["tag"] !== tagUrn));
  return true;
};

function changeTags(context: RequestContext, target: Target, change: TagChange): void {
  const column = target.subResource ?? "";
  const urn = target.resourceUrn;
  const aspect = column === "" ? "globalTags" : "editableSchemaMetadata";
  const before = context.store.latest(urn, aspect)?.value ?? {};
  const after = column === "" ? withTags(before, change) : withColumnTags(before, column, change);
  writeAsUser(context, urn, aspect, after);
}

// A column without an entry gets one, also when a tag is removed from it (MutationUtils.getFieldInfoFromSchema).
function withColumnTags(schema: JsonObject, column: string, change: TagChange): JsonObject {
  const infos = objectsAt(schema, "editableSchemaFieldInfo");
  const known = infos.findIndex((info) => info["fieldPath"] === column);
  const info = infos[known] ?? { fieldPath: column };
  const changed = { ...info, globalTags: withTags(objectAt(info, "globalTags") ?? {}, change) };
  const editableSchemaFieldInfo = known < 0 ? [...infos, changed] : infos.with(known, changed);
  return { ...schema, editableSchemaFieldInfo };
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
