import { idSchema, identifiedById, type Kind } from "./kind.ts";

export const tag: Kind = {
  name: "Tag",
  plural: "tags",
  entityType: "tag",
  typename: "Tag",
  lifecycle: "owned",
  deletion: {
    mutation: "deleteTag",
    // Of entities, columns' own entities among them; of columns as ingestion wrote them; of columns as they are edited.
    relationships: ["TaggedWith", "SchemaFieldTaggedWith", "EditableSchemaFieldTaggedWith"],
  },
  ...identifiedById("tag"),
  fields: { id: idSchema("tag") },
  initial: (key) => ({ tagProperties: { name: key } }),
};
