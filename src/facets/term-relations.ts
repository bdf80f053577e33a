/** Defines the facets that relate glossary terms to each other: `inherits`, `contains`, `values` and `related_terms`. */

import { answeredUrn, malformed, aspectIn } from "../model/answer.ts";
import { referencesSchema, referenceTo, setFacet } from "./build.ts";
import type { SetFacet } from "./facet.ts";

/**
 * A relation between terms: its key in manifests, its list in the aspect, its relationship in DataHub's graph, and the text and
 * the example for its schema.
 */
type Relation = readonly [name: string, list: string, relationship: string, what: string, example: string];

const relations: readonly Relation[] = [
  ["inherits", "isRelatedTerms", "IsA", "Broader terms that this term inherits from", "sensitive"],
  ["contains", "hasRelatedTerms", "HasA", "Terms that are part of this term", "salary"],
  [
    "values",
    "values",
    "HasValue",
    "Terms for the possible values of this term (for example, `red` for `color`)",
    "trade-secret",
  ],
  ["related_terms", "relatedTerms", "IsRelatedTo", "Other related terms", "personal-data"],
];

const aspect = "glossaryRelatedTerms";

/**
 * The facets for all relations. They are written to the aspect, because `addRelatedTerms` supports only two of the four
 * relations. The server stores a relation on only one of the two terms (GlossaryRelatedTerms.pdl).
 */
export const termRelations: readonly SetFacet[] = relations.map(([name, list, relationship, what, example]) =>
  setFacet({
    name,
    kinds: ["GlossaryTerm"],
    schema: referencesSchema("glossaryTerm", what, example),
    ...referenceTo("glossaryTerm"),
    relationship,
    refusesItself: true,
    ...(name === "inherits" && { refusesCycles: true }),
    aspects: () => [aspect],
    storedIn: () => aspect,
    observe: (aspects) => {
      const stored = aspectIn(aspects, aspect)[list] ?? [];
      if (!Array.isArray(stored)) throw malformed(`the field ${list}`, "is not a list");
      return stored.map((urn) => answeredUrn({ urn }, "a term"));
    },
    editing: {
      aspect: () => aspect,
      edits: (_place, add, remove) => [{ at: [list], add: add.map((element) => ({ element })), remove }],
    },
  }),
);
