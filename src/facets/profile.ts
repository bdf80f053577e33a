import { textSchema, urnOfId } from "../kinds/kind.ts";
import { textOf } from "../model/json.ts";
import { type Facet, refuseUrn } from "./facet.ts";
import { type Field, fieldFacet, type Place } from "./field.ts";

const info = (field: string): { readonly User: Place } => ({ User: ["corpUserInfo", field] });
const editable = (field: string): { readonly User: Place } => ({ User: ["corpUserEditableInfo", field] });

const fields: readonly Field[] = [
  {
    name: "display_name",
    places: { ...info("displayName"), Group: ["corpGroupInfo", "displayName"] },
  },
  { name: "first_name", places: info("firstName") },
  { name: "last_name", places: info("lastName") },
  { name: "full_name", places: info("fullName") },
  { name: "email", places: { ...info("email"), Group: ["corpGroupInfo", "email"] } },
  { name: "title", places: info("title") },
  {
    name: "manager_urn",
    places: info("managerUrn"),
    schema: { ...textSchema, description: "The id or URN of a user." },
    refersTo: ["corpuser"],
    parse: (written) => {
      const text = textOf(written);
      const result = urnOfId("corpuser", text);
      if ("fault" in result) return refuseUrn(text, result.fault);
      return { value: result.urn, references: [{ urn: result.urn, entityType: "corpuser" }] };
    },
  },
  // A number in the aspect; the other form is `none`.
  {
    name: "department_id",
    places: info("departmentId"),
    schema: { type: ["integer", "string"], pattern: "^none$" },
  },
  { name: "department_name", places: info("departmentName") },
  { name: "country_code", places: info("countryCode") },
  { name: "slack", places: { ...editable("slack"), Group: ["corpGroupInfo", "slack"] } },
  { name: "phone", places: editable("phone") },
  {
    name: "picture_link",
    places: { ...editable("pictureLink"), Group: ["corpGroupEditableInfo", "pictureLink"] },
  },
];

/** The fields of users and groups that `datahub user upsert` and `datahub group upsert` know, one facet each. */
export const profile: readonly Facet[] = fields.map(fieldFacet);
