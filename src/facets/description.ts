import { fieldFacet } from "./field.ts";

/** What it is for; of a user what they say about themselves. */
export const description = fieldFacet({ name: "description" });
