import { nonEmptyString } from "../model/identifier.ts";
import { fieldFacet } from "./field.ts";

/** The display name of a domain or tag. A new one that declares none is named by its id. */
export const name = fieldFacet({
  name: "name",
  schema: {
    ...nonEmptyString,
    description: "The name that people see. A new one without a name is named by its id.",
    examples: ["Finance"],
  },
  isRequired: true,
  implied: { for: "new-entity", value: (key) => key },
});
