import { textSchema } from "../kinds/kind.ts";
import { domain } from "./domain.ts";
import { fieldFacet } from "./field.ts";

/** The domain above a domain. */
export const parentDomain = fieldFacet({
  name: "parent_domain",
  places: { Domain: ["domainProperties", "parentDomain"] },
  schema: { ...textSchema, description: "The id or URN of the domain above; `none` for the top." },
  refersTo: ["domain"],
  parse: (written) => domain.parse(written),
});
