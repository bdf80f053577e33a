/** Defines the kind for glossary terms, and how glossary terms and term groups are deleted. */

import { plainPart } from "../model/urn.ts";
import { identifiedById, typedOfDefinitions } from "./build.ts";
import type { Kind } from "./kind.ts";

/**
 * How to delete a term or a term group. DataHub does not check whether a group has children (DeleteGlossaryEntityResolver.java).
 */
export const deleteGlossaryEntity = {
  mutation: "deleteGlossaryEntity",
  privilege: { name: "MANAGE_GLOSSARIES", title: "Manage Glossaries" },
  byDefault: true,
} as const;

export const glossaryTerm: Kind<"GlossaryTerm"> = {
  name: "GlossaryTerm",
  noun: "glossary term",
  plural: "glossary terms",
  typename: "GlossaryTerm",
  searchType: "GLOSSARY_TERM",
  page: "glossaryTerm",
  lifecycle: "owned",
  softDeletable: true,
  ownable: true,
  displayName: "name",
  // In GraphQL, `description` contains the definition, which is required but can be empty. If it is missing, the entity is
  // probably a shell.
  shell: {
    sign: "properties { description }",
    typed: [...typedOfDefinitions, ["glossaryTermInfo", "glossaryTermInfo { __typename }"]],
  },
  storage: {
    name: ["glossaryTermInfo", "name"],
    definition: ["glossaryTermInfo", "definition", ""],
    parent_node: ["glossaryTermInfo", "parentNode"],
    term_source: ["glossaryTermInfo", "termSource"],
    source_ref: ["glossaryTermInfo", "sourceRef"],
    source_url: ["glossaryTermInfo", "sourceUrl"],
  },
  parentFacet: "parent_node",
  deletion: {
    ...deleteGlossaryEntity,
    // The order is: references from entities, from ingested columns, from edited columns, and from other terms.
    relationships: [
      "TermedWith",
      "SchemaFieldWithGlossaryTerm",
      "EditableSchemaFieldWithGlossaryTerm",
      "IsA",
      "HasA",
      "HasValue",
      "IsRelatedTo",
    ],
    searchFields: ["glossaryTerms", "fieldGlossaryTerms", "editedFieldGlossaryTerms"],
  },
  examples: {
    name: ["Confidential"],
    domain: ["privacy", "none"],
    owners: [[{ user: "alice@acme.com" }], []],
  },
  ...identifiedById("glossaryTerm", "glossary term", "classification.confidential"),
  // The aspect requires a definition and a source (GlossaryTermInfo.pdl).
  initial: (key) => ({ glossaryTermInfo: { definition: "", termSource: "INTERNAL", name: plainPart(key) } }),
  otherNames: { description: "definition" },
};
