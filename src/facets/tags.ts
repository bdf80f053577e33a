/** Defines the facets `tags` for assets and `columns.tags` for columns. */

import { assetKinds } from "../kinds/index.ts";
import { associationFacets } from "./association.ts";
import { referencesSchema } from "./build.ts";
import { fieldOf } from "./capabilities.ts";

/**
 * The tags of assets and columns. The server stores column tags in three aspects. `addTags` and `removeTag` can edit only
 * `editableSchemaMetadata`, so only that aspect is compared. Ingestion owns the tags in `schemaMetadata` and on the schema-field
 * entity (DataHub pull request #14598).
 */
export const tags = associationFacets({
  name: "tags",
  kinds: [...assetKinds.map(({ name }) => name), "DataProduct"],
  schema: referencesSchema("tag", "Tags", "pii", "urn:li:tag:tier-1"),
  wording: { gains: "is added to", loses: "is removed from", noun: "tag" },
  option: { name: "tag", description: "with this tag; with --columns, only columns that have it" },
  entityType: "tag",
  aspect: "globalTags",
  list: "tags",
  element: "tag",
  noun: "tag",
  columnField: "SchemaFieldEntity.tags",
  attribution: fieldOf("tag-attribution"),
  add: ["addTags", "AddTagsInput!", "tagUrns"],
  remove: ["removeTag", "TagAssociationInput!", "tagUrn"],
  asset: {
    relationship: "TaggedWith",
    privilege: { name: "EDIT_ENTITY_TAGS", title: "Edit Tags" },
    // DataHub 1.6.0.10 and later require only this privilege.
    isWithOwnPrivilege: true,
  },
  column: {
    relationship: "EditableSchemaFieldTaggedWith",
    privilege: { name: "EDIT_DATASET_COL_TAGS", title: "Edit Dataset Column Tags" },
  },
});
