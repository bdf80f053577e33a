import { nonEmptyString } from "../model/identifier.ts";
import { fieldFacet } from "./field.ts";

/** What it is for; of a user what they say about themselves. */
export const description = fieldFacet({
  name: "description",
  isProse: true,
  schema: {
    ...nonEmptyString,
    description: "What it is for; of a user, what they say about themselves. `none` for no description.",
    examples: ["Ledgers, invoices, treasury."],
  },
});
