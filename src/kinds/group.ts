import { idSchema, identifiedById, type Kind, textSchema } from "./kind.ts";
import { userFields } from "./user.ts";

export const group: Kind = {
  name: "Group",
  plural: "groups",
  entityType: "corpGroup",
  typename: "CorpGroup",
  lifecycle: "owned",
  ...identifiedById("corpGroup"),
  fields: {
    id: idSchema("group"),
    display_name: textSchema,
    email: textSchema,
    description: textSchema,
    slack: textSchema,
    picture_link: textSchema,
    members: {
      type: "array",
      description: "Ids or URNs of users, or users written out.",
      items: {
        if: { type: "object" },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: {
          type: "object",
          required: ["id"],
          properties: { id: idSchema("user"), ...userFields },
          additionalProperties: false,
        },
        else: textSchema,
      },
    },
  },
};
