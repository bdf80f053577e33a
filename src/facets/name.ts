import { fieldFacet } from "./field.ts";

/** The name that people see. */
export const name = fieldFacet({
  name: "name",
  places: { Domain: ["domainProperties", "name"], Tag: ["tagProperties", "name"] },
});
