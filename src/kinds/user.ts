import type { JsonObject } from "../model/json.ts";
import { idSchema, identifiedById, type Kind, textSchema } from "./kind.ts";

/** The fields of `datahub user upsert` beside `id` and `groups`. */
export const userFields: JsonObject = {
  display_name: textSchema,
  first_name: textSchema,
  last_name: textSchema,
  full_name: textSchema,
  email: textSchema,
  title: textSchema,
  manager_urn: textSchema,
  department_id: { type: "integer" },
  department_name: textSchema,
  country_code: textSchema,
  description: textSchema,
  slack: textSchema,
  phone: textSchema,
  picture_link: textSchema,
};

export const user: Kind = {
  name: "User",
  plural: "users",
  entityType: "corpuser",
  typename: "CorpUser",
  lifecycle: "owned",
  ...identifiedById("corpuser"),
  fields: {
    id: idSchema("user"),
    ...userFields,
    groups: { type: "array", items: textSchema, description: "Ids or URNs of groups." },
  },
};
