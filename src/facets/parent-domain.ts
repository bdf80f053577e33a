import { nonEmptyString } from "../model/identifier.ts";
import { referenceTo } from "./build.ts";
import { fieldFacet } from "./field.ts";

/** The domain above a domain. */
export const parentDomain = fieldFacet({
  name: "parent_domain",
  schema: {
    ...nonEmptyString,
    description: "The id or URN of the domain above; `none` for the top.",
    examples: ["corporate", "none"],
  },
  ...referenceTo("domain"),
  relationship: "IsPartOf",
  wording: { gains: "gets", loses: "loses", noun: "domain" },
});
