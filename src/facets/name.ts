import { fieldFacet } from "./field.ts";

/** The display name of a domain or tag. A new one that declares none is named by its id. */
export const name = fieldFacet({
  name: "name",
  isRequired: true,
  implied: { for: "new-entity", value: (key) => key },
});
