import { fieldFacet } from "./field.ts";

/** What it is for; of a user what they say about themselves. */
export const description = fieldFacet({
  name: "description",
  places: {
    Domain: ["domainProperties", "description"],
    Tag: ["tagProperties", "description"],
    User: ["corpUserEditableInfo", "aboutMe"],
    Group: ["corpGroupInfo", "description"],
  },
});
