import { nonEmptyString } from "../model/identifier.ts";
import type { JsonObject } from "../model/json.ts";
import type { ListEdit, Request } from "../model/operation.ts";
import type { Member, Scalar } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { answeredList, answeredUrn, storedList } from "./answer.ts";
import { attributionIn } from "./attribution.ts";
import { referenceTo, setFacet } from "./build.ts";
import type { SetPlace, SetWrites } from "./facet.ts";

/** GraphQL's GlobalTags, as `tagSelection` selects it. */
export interface SelectedTags {
  readonly tags?: readonly { readonly tag?: { readonly urn?: string } | null }[] | null;
}

/** What to select of a field of type GlobalTags. */
export const tagSelection = "{ tags { tag { urn } } }";

/** The URNs of the tags in a selected GlobalTags. */
export function tagUrns(selected: SelectedTags | null | undefined): readonly Urn[] {
  return answeredList(selected?.tags, "the tags").map(({ tag }) => answeredUrn(tag, "a tag"));
}

/** Who put a tag into an aspect of type GlobalTags. */
export function tagAttribution(globalTags: JsonObject, tag: Member | Scalar): JsonObject | undefined {
  return attributionIn(globalTags["tags"], (entry) => entry["tag"] === tag);
}

/** The URNs of the tags in an aspect of type GlobalTags. */
export function storedTags(globalTags: JsonObject): readonly Urn[] {
  return storedList(globalTags["tags"], "the tags").map(({ tag }) => answeredUrn({ urn: tag }, "a tag"));
}

/** The edit of a list of TagAssociations. A tag goes with every entry of its own, whichever source it is from. */
export function tagEdit(at: ListEdit["at"], add: readonly Urn[], remove: readonly Urn[]): ListEdit {
  return {
    at,
    add: add.map((tag) => ({ element: { tag } })),
    remove: remove.map((tag) => ({ tag })),
    attribution: "TagAssociation.attribution",
  };
}

/** JSON Schema of a list of tags. */
export const tagListSchema: JsonObject = {
  type: "array",
  description: "Ids or URNs of tags; `[]` for none.",
  examples: [["pii", "urn:li:tag:tier-1"], []],
  items: nonEmptyString,
};

/** How sentences tell of tags. */
export const tagTelling = { gains: "is put on", loses: "is taken off", noun: "tag" };

/**
 * The writes of tags, of an asset or of one of its columns. One `addTags` for all, one `removeTag`
 * for each: DataHub has no `removeTags`, and its batch form keeps only the last of several columns (issue #9284).
 */
export const tagWrites: SetWrites<Urn> = {
  add: (place, tagged) => [
    {
      elements: tagged,
      request: tagMutation("addTags", "AddTagsInput!", { tagUrns: tagged, ...resourceAt(place) }),
    },
  ],
  remove: (place, tagged) =>
    tagged.map((tagUrn) => ({
      elements: [tagUrn],
      request: tagMutation("removeTag", "TagAssociationInput!", { tagUrn, ...resourceAt(place) }),
    })),
};

function resourceAt({ urn, path: [column] = [] }: SetPlace): JsonObject {
  const subResource = column === undefined ? {} : { subResourceType: "DATASET_FIELD", subResource: column };
  return { resourceUrn: urn, ...subResource };
}

function tagMutation(field: string, type: string, value: JsonObject): Request {
  return { type: "mutation", field, args: [{ name: "input", type, value }] };
}

/** Tags of an asset. */
export const tags = setFacet<Urn, { readonly tags?: SelectedTags | null }>({
  name: "tags",
  kinds: ["Dataset", "Container"],
  schema: tagListSchema,
  privilege: { name: "EDIT_ENTITY_TAGS", title: "Edit Tags" },
  ...referenceTo("tag"),
  relationship: "TaggedWith",
  told: tagTelling,
  storedIn: { aspect: () => "globalTags", attribution: tagAttribution },
  selection: `tags ${tagSelection}`,
  observe: (entity) => tagUrns(entity.tags),
  ...tagWrites,
  editing: {
    aspect: "globalTags",
    // Since 1.6.0.10.
    isWithOwnPrivilege: true,
    elements: storedTags,
    edits: (_place, add, remove) => [tagEdit(["tags"], add, remove)],
  },
});
