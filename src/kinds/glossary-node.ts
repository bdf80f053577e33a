/** Defines the kind for glossary term groups, which form a tree. */

import { plainPart } from "../model/urn.ts";
import { deleteGlossaryEntity } from "./glossary-term.ts";
import { identifiedById } from "./build.ts";
import type { Kind } from "./kind.ts";

export const glossaryNode: Kind<"GlossaryNode"> = {
  name: "GlossaryNode",
  noun: "term group",
  plural: "term groups",
  typename: "GlossaryNode",
  searchType: "GLOSSARY_NODE",
  page: "glossaryNode",
  lifecycle: "owned",
  softDeletable: true,
  ownable: true,
  displayName: "name",
  // In GraphQL, `description` contains the definition, which is required but can be empty. If it is missing, the entity is
  // probably a shell.
  shell: {
    sign: "properties { description }",
    typed: [
      ["ownership", "ownership { __typename }"],
      ["glossaryNodeInfo", "properties { description }"],
    ],
  },
  storage: {
    name: ["glossaryNodeInfo", "name"],
    description: ["glossaryNodeInfo", "definition", ""],
    parent_node: ["glossaryNodeInfo", "parentNode"],
  },
  parentFacet: "parent_node",
  deletion: { ...deleteGlossaryEntity, relationships: [], searchFields: [] },
  descriptions: {
    description: "Describes what the terms in the group have in common. `none` removes the description.",
    parent_node: "The parent term group, by id or URN. `none` puts the term group at the top level.",
  },
  examples: {
    name: ["Classification"],
    parent_node: ["governance", "none"],
    description: ["How sensitive the data is."],
    owners: [[{ group: "privacy" }], []],
  },
  ...identifiedById("glossaryNode", "term group", "classification"),
  // The aspect requires a definition (GlossaryNodeInfo.pdl).
  initial: (key) => ({ glossaryNodeInfo: { definition: "", name: plainPart(key) } }),
};
