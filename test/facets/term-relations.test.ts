import { expect, test } from "vitest";
import { facetNamed } from "../../src/facets/index.ts";
import type { Json } from "../../src/model/json.ts";
import { setOf } from "../../src/model/state.ts";
import { sentFor, setChange } from "./changes.ts";

const [pii, email, name] = [
  "urn:li:glossaryTerm:pii",
  "urn:li:glossaryTerm:email",
  "urn:li:glossaryTerm:name",
];

const relations = [
  ["inherits", "isRelatedTerms", "IsA"],
  ["contains", "hasRelatedTerms", "HasA"],
  ["values", "values", "HasValue"],
  ["related_terms", "relatedTerms", "IsRelatedTo"],
] as const;

test.each(relations)(
  "what a term %s is kept in the list %s, as the relationship %s",
  (facet, list, relationship) => {
    const { storedIn, refusesItself, ...relation } = facetNamed(facet);
    const aspects = { glossaryRelatedTerms: { [list]: [email, pii] } };

    expect([relation.relationship, relation.refersTo, refusesItself]).toEqual([
      relationship,
      ["glossaryTerm"],
      true,
    ]);
    expect([storedIn?.("GlossaryTerm"), relation.aspects("GlossaryTerm")]).toEqual([
      "glossaryRelatedTerms",
      ["glossaryRelatedTerms"],
    ]);
    expect(relation.observe(aspects, "GlossaryTerm")).toEqual({ value: setOf([email, pii]) });
  },
);

test.each(relations)("what a term %s is edited in the list %s, also without a condition", (facet, list) => {
  expect(sentFor(setChange(facet, [email], [name], { urn: pii }))).toEqual([
    {
      request: {
        type: "proposal",
        urn: pii,
        aspect: "glossaryRelatedTerms",
        initial: {},
        set: {},
        edits: [{ at: [list], add: [{ element: email }], remove: [name] }],
      },
    },
  ]);
});

test.each<readonly [Json, string]>([
  ["x", "the field isRelatedTerms is not a list"],
  [[7], "a term has no URN"],
])("terms that are stored as %j are malformed", (isRelatedTerms, message) => {
  const aspects = { glossaryRelatedTerms: { isRelatedTerms } };

  expect(() => facetNamed("inherits").observe(aspects, "GlossaryTerm")).toThrow(
    `the server returned a malformed response: ${message}`,
  );
});
