import { nonEmptyString } from "../model/identifier.ts";
import { textOf } from "../model/json.ts";
import { referenceTo } from "./build.ts";
import type { ScalarFacet } from "./facet.ts";
import { type Field, fieldFacet } from "./field.ts";

const fields: readonly Field[] = [
  { name: "display_name" },
  { name: "first_name" },
  { name: "last_name" },
  { name: "full_name" },
  { name: "email" },
  { name: "title" },
  {
    name: "manager_urn",
    schema: { ...nonEmptyString, description: "The id or URN of a user." },
    ...referenceTo("corpuser"),
  },
  {
    name: "department_id",
    // A number in the aspect; the other form is `none`. Beyond these bounds its last digits would be lost.
    schema: {
      type: ["integer", "string"],
      pattern: "^none$",
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  { name: "department_name" },
  { name: "country_code" },
  { name: "slack" },
  { name: "phone" },
  {
    name: "picture_link",
    parse: (written) => {
      const text = textOf(written);
      const taken = { value: text, references: [] };
      if (!/^http:/i.test(text)) return taken;
      return { ...taken, warning: { code: "insecure-link", args: { text } } };
    },
  },
];

/** The fields of users and groups that `datahub user upsert` and `datahub group upsert` know, one facet each. */
export const profile: readonly ScalarFacet[] = fields.map(fieldFacet);
