/** Defines the facets `glossary_terms` for assets and `columns.glossary_terms` for columns. */

import { assetKinds } from "../kinds/index.ts";
import { associationFacets } from "./association.ts";
import { referencesSchema } from "./build.ts";
import { fieldOf } from "./capabilities.ts";

/** The glossary terms of assets and columns. For columns, only users' edits are compared, as they are for tags. */
export const glossaryTerms = associationFacets({
  name: "glossary_terms",
  kinds: [...assetKinds.map(({ name }) => name), "DataProduct"],
  schema: referencesSchema(
    "glossaryTerm",
    "Glossary terms",
    "revenue",
    "urn:li:glossaryTerm:classification.confidential",
  ),
  wording: { gains: "is added to", loses: "is removed from", noun: "glossary term" },
  option: { name: "term", description: "with this glossary term; with --columns, only columns that have it" },
  entityType: "glossaryTerm",
  // GraphQL omits terms that the token is not allowed to view (GlossaryTermsMapper.java).
  isRedacted: true,
  aspect: "glossaryTerms",
  list: "terms",
  element: "urn",
  noun: "term",
  columnField: "SchemaFieldEntity.glossaryTerms",
  stamp: "auditStamp",
  attribution: fieldOf("term-attribution"),
  add: ["addTerms", "AddTermsInput!", "termUrns"],
  remove: ["removeTerm", "TermAssociationInput!", "termUrn"],
  asset: {
    relationship: "TermedWith",
    privilege: { name: "EDIT_ENTITY_GLOSSARY_TERMS", title: "Edit Glossary Terms" },
  },
  column: {
    relationship: "EditableSchemaFieldWithGlossaryTerm",
    privilege: { name: "EDIT_DATASET_COL_GLOSSARY_TERMS", title: "Edit Dataset Column Glossary Terms" },
  },
});
