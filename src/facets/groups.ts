import { nonEmptyString } from "../model/identifier.ts";
import { referenceTo, setFacet } from "./build.ts";

/**
 * The groups that a user is in: the other end of `members`. It is planned, shown and written as `members` of each group,
 * so nothing is read or written for it here.
 */
export const groups = setFacet({
  name: "groups",
  kinds: ["User"],
  schema: {
    type: "array",
    items: nonEmptyString,
    description: "Ids or URNs of its groups; `[]` for none.",
    examples: [["finance-data"], []],
  },
  ...referenceTo("corpGroup"),
  observe: () => [],
  add: () => [],
  remove: () => [],
});
