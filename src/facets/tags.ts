import { textSchema, urnOfId } from "../kinds/kind.ts";
import { type FacetChange, isSetChange } from "../model/change.ts";
import { type JsonObject, textOf } from "../model/json.ts";
import type { Request } from "../model/operation.ts";
import { type Member, type Scalar, setOf } from "../model/state.ts";
import { attributionIn } from "./attribution.ts";
import { type Facet, noAspects, refuseUrn, showPlain } from "./facet.ts";

/** GraphQL's GlobalTags, as `tagSelection` selects it. */
export interface SelectedTags {
  readonly tags?: readonly { readonly tag: { readonly urn: string } }[] | null;
}

/** What to select of a field of type GlobalTags. */
export const tagSelection = "{ tags { tag { urn } } }";

/** The URNs of the tags in a selected GlobalTags. */
export function tagUrns(selected: SelectedTags | null | undefined): readonly string[] {
  return (selected?.tags ?? []).map(({ tag }) => tag.urn);
}

/** Who put a tag into an aspect of type GlobalTags. */
export function tagAttribution(globalTags: JsonObject, tag: Member | Scalar): JsonObject | undefined {
  return attributionIn(globalTags["tags"], (entry) => entry["tag"] === tag);
}

/** JSON Schema of a list of tags. */
export const tagListSchema: JsonObject = {
  type: "array",
  description: "Ids or URNs of tags; `[]` for none.",
  items: textSchema,
};

/** Takes one written tag. */
export const parseTag: Facet["parse"] = (written) => {
  const text = textOf(written);
  const result = urnOfId("tag", text);
  if ("fault" in result) return refuseUrn(text, result.fault);
  return { value: result.urn, references: [{ urn: result.urn, entityType: "tag" }] };
};

/**
 * The writes for a change of tags, of an asset or of one of its columns. One `addTags` for all, one `removeTag`
 * for each: DataHub has no `removeTags`, and its batch form keeps only the last of several columns (issue #9284).
 */
export function tagRequests(change: FacetChange): readonly Request[] {
  if (!isSetChange(change)) return [];
  const subResource =
    change.column === undefined ? {} : { subResourceType: "DATASET_FIELD", subResource: change.column };
  const resource = { resourceUrn: change.urn, ...subResource };
  const add: Request = {
    type: "mutation",
    field: "addTags",
    args: [{ name: "input", type: "AddTagsInput!", value: { tagUrns: change.add, ...resource } }],
  };
  const removals = change.remove.map((tagUrn): Request => {
    return {
      type: "mutation",
      field: "removeTag",
      args: [{ name: "input", type: "TagAssociationInput!", value: { tagUrn, ...resource } }],
    };
  });
  return change.add.length > 0 ? [add, ...removals] : removals;
}

/** Tags of an asset. */
export const tags: Facet = {
  name: "tags",
  on: ["Dataset", "Container"],
  shape: "set",
  refersTo: ["tag"],
  schema: tagListSchema,
  costly: false,
  aspects: noAspects,
  optionalFields: [],
  stored: { aspect: () => "globalTags", attribution: tagAttribution },
  selection: () => `tags ${tagSelection}`,
  parse: parseTag,
  show: showPlain,
  observe: (entity) => ({ value: setOf(tagUrns((entity as { readonly tags?: SelectedTags | null }).tags)) }),
  requests: tagRequests,
};
