/** Defines the kind for tags, which assets and columns can have. */

import { plainPart } from "../model/urn.ts";
import { identifiedById } from "./build.ts";
import type { Kind } from "./kind.ts";

export const tag: Kind<"Tag"> = {
  name: "Tag",
  noun: "tag",
  plural: "tags",
  typename: "Tag",
  searchType: "TAG",
  page: "tag",
  lifecycle: "owned",
  softDeletable: true,
  ownable: true,
  displayName: "name",
  storage: {
    name: ["tagProperties", "name"],
    description: ["tagProperties", "description"],
    color_hex: ["tagProperties", "colorHex"],
  },
  deletion: {
    mutation: "deleteTag",
    privilege: { name: "MANAGE_TAGS", title: "Manage Tags" },
    // The order is: references from entities (including column entities), from ingested columns, and from edited columns.
    relationships: ["TaggedWith", "SchemaFieldTaggedWith", "EditableSchemaFieldTaggedWith"],
    searchFields: ["tags", "fieldTags", "editedFieldTags"],
    byDefault: true,
  },
  descriptions: {
    description: "Explains when to use the tag. `none` removes the description.",
  },
  examples: { name: ["Personal data"], description: ["Identifies a person or contains contact details."] },
  ...identifiedById("tag", "tag", "pii"),
  initial: (key) => ({ tagProperties: { name: plainPart(key) } }),
};
