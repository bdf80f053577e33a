import { idSchema, identifiedById, type Kind, textSchema } from "./kind.ts";

export const tag: Kind = {
  name: "Tag",
  plural: "tags",
  entityType: "tag",
  typename: "Tag",
  lifecycle: "owned",
  ...identifiedById("tag"),
  fields: {
    id: idSchema("tag"),
    name: textSchema,
    description: textSchema,
    color_hex: { ...textSchema, description: 'Its colour, `"#C0392B"` say (quoted: `#` begins a comment).' },
  },
};
