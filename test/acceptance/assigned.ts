import { isJsonObject, type Json, type JsonObject, textOf } from "../../src/model/json.ts";
import type { StoredCatalog } from "./stored-catalog.ts";

/** The mappings in a list; nothing is an empty list. */
function entriesOf(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** The tags that are stored of an entity, or of one of its columns. */
export async function tagsOf(
  stored: StoredCatalog,
  urn: string,
  column?: string,
): Promise<readonly string[]> {
  const { globalTags, editableSchemaMetadata: edited } = await stored.aspects(urn);
  if (column === undefined) return tagsIn(globalTags);
  const fields = entriesOf(edited?.["editableSchemaFieldInfo"]);
  const own = fields.find(({ fieldPath }) => fieldPath === column)?.["globalTags"];
  return tagsIn(isJsonObject(own) ? own : undefined);
}

function tagsIn(aspect: JsonObject | undefined): readonly string[] {
  return entriesOf(aspect?.["tags"]).map(({ tag }) => textOf(tag));
}

/** The aspect that holds tags. */
export function tagsAspect(...urns: readonly string[]): JsonObject {
  return { tags: urns.map((tag) => ({ tag })) };
}

/** The domains that are stored of an entity. */
export async function domainsOf(stored: StoredCatalog, urn: string): Promise<readonly string[]> {
  const { domains } = await stored.aspects(urn);
  const list = domains?.["domains"];
  return Array.isArray(list) ? list.map(textOf) : [];
}

/** The groups that a user is in, as both aspects for it hold them. */
export async function groupsOf(stored: StoredCatalog, urn: string): Promise<readonly string[]> {
  const { nativeGroupMembership, groupMembership } = await stored.aspects(urn);
  const lists = [nativeGroupMembership?.["nativeGroups"], groupMembership?.["groups"]];
  return lists.flatMap((list) => (Array.isArray(list) ? list.map(textOf) : []));
}
