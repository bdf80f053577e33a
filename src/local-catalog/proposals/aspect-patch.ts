/** Applies patches to aspect values. */

import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { emptyCollections } from "../registry/aspect-records.ts";
import { systemUser } from "../store/audit.ts";
import { hasColumnLineage, lineageToList, lineageToMap } from "./column-lineage.ts";
import { applyJsonPatch, parseJsonPatch } from "./json-patch.ts";
import { mapsToLists, listsToMaps, type KeyedList } from "./keyed-lists.ts";
import { patchTemplates, templateDefault, withStampedTerms } from "./patch-templates.ts";
import { malformed } from "../errors.ts";
import { normalizeAspect } from "./normalize.ts";

/**
 * Applies a patch to an aspect's value and returns the result. If the aspect is missing, the patch applies to the aspect's
 * template, whose stamps contain the time `now`. The patch (`arrayPrimaryKeys`) or, by default, the template defines the list
 * keys (entity-registry GenericJsonPatch.java, GenericPatchTemplate.java).
 * @throws RequestError when the patch cannot be applied, or when there are neither keys nor a template.
 */
export function patchedAspect(
  aspect: string,
  before: JsonObject | undefined,
  { sent, now }: { readonly sent: JsonObject; readonly now: number },
): JsonObject {
  const patch = parseJsonPatch(sent["patch"]);
  const named = namedLists(sent);
  const lists = named ?? patchTemplates[aspect];
  if (!lists)
    throw malformed(
      `The aspect ${aspect} has no patch template: set "arrayPrimaryKeys" or "forceGenericPatch"`,
    );
  const stamp = { time: now, actor: systemUser };
  const base = before ?? { ...emptyCollections(aspect), ...templateDefault(aspect, stamp) };
  const hasLineage = !named && hasColumnLineage(aspect);
  const maps = listsToMaps(hasLineage ? lineageToMap(base) : base, lists);
  const lined = mapsToLists(applyJsonPatch(maps, patch), lists);
  const after = hasLineage ? lineageToList(lined) : lined;
  return normalizeAspect(named ? after : withStampedTerms(aspect, after, stamp));
}

function namedLists(sent: JsonObject): readonly KeyedList[] | undefined {
  const named = sent["arrayPrimaryKeys"] ?? {};
  if (!isJsonObject(named)) throw malformed('"arrayPrimaryKeys" in a patch must be an object');
  const lists = Object.entries(named).map(([field, keys]) => {
    if (!Array.isArray(keys) || !keys.every((key) => typeof key === "string"))
      throw malformed(`"arrayPrimaryKeys" in a patch must be a list of fields for ${field}`);
    return { field: [field], keys };
  });
  return lists.length > 0 || sent["forceGenericPatch"] === true ? lists : undefined;
}
