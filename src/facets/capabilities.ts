/** The capabilities that only some releases of DataHub have: how a server shows each one, and what happens without it. */

import type { Capability } from "../model/capability.ts";

const field = <Field extends `${string}.${string}`>(of: Field) => ({ by: "field", field: of }) as const;

/** The capabilities by id. `Kind.shell` repeats two of the fields, because kinds cannot import this table. */
const table = {
  // Pull request #10868 added this capability and the next one.
  "conditional-writes": {
    what: "conditional writes (`If-Version-Match`)",
    asked: { by: "versions" },
    without:
      "definitions are written without the condition, and `writes: conditional` is refused before anything is written",
    release: "0.14",
  },
  "aspect-batches": {
    what: "aspects of many entities in one request",
    asked: { by: "aspects-of-none" },
    without:
      "aspects of definitions, and what is written conditionally, are read one by one, and assets by GraphQL also with `reads: openapi`",
    release: "0.14",
  },
  "unset-structured-properties": {
    what: "the removal of values of structured properties",
    asked: field("Mutation.removeStructuredProperties"),
    without: "`none` for such a value is the problem `unremovable-value`, and nothing is written",
    release: "1.0",
  },
  "deprecation-replacements": {
    what: "`replacement` of a deprecation, and the deprecation of containers",
    asked: field("Deprecation.replacement"),
    without: "what declares them is the problem `not-in-release`",
    release: "1.0",
  },
  "sorted-scrolls": {
    what: "an order of scrolls by URN",
    asked: { by: "input", field: "SearchSortInput.sortCriteria" },
    without: "entities are found in the server's own order; while others write, some can be missed",
    release: "1.0",
  },
  "container-paths": {
    what: "browse paths of containers, which a token may only see with the container",
    asked: field("Container.browsePathV2"),
    without:
      "a container that the token may not view is recognized by its owners, tags, terms, subtypes and parent",
    release: "1.0",
  },
  "tag-attribution": {
    what: "the source of tags, and patches of tags and descriptions",
    asked: field("TagAssociation.attribution"),
    without:
      "tags are written without a source, and `writes: conditional` writes the whole aspect for the version that was read",
    release: "1.3",
  },
  "owner-attribution": {
    what: "the source of owners, and patches of owners",
    asked: field("Owner.attribution"),
    without:
      "owners are written without a source, and `writes: conditional` writes the whole aspect for the version that was read",
    release: "1.3",
  },
  "term-attribution": {
    what: "the source of glossary terms, and patches of terms",
    asked: field("GlossaryTermAssociation.attribution"),
    without:
      "terms are written without a source, and `writes: conditional` writes the whole aspect for the version that was read",
    release: "1.3",
  },
  "structured-property-attribution": {
    what: "the source of values of structured properties, and patches of these",
    asked: field("StructuredPropertiesEntry.attribution"),
    without:
      "values are written without a source, and `writes: conditional` writes the whole aspect for the version that was read",
    release: "1.3",
  },
  "column-tags": {
    what: "tags of the entities that the server keeps for columns",
    asked: field("SchemaFieldEntity.tags"),
    without: "tags of columns that ingestion keeps there are not shown as unmanaged",
    release: "1.3",
  },
  "column-terms": {
    what: "glossary terms of the entities that the server keeps for columns",
    asked: field("SchemaFieldEntity.glossaryTerms"),
    without: "terms of columns that ingestion keeps there are not shown as unmanaged",
    release: "1.3",
  },
  "link-labels": {
    what: "links of one URL that differ by their labels",
    asked: field("InstitutionalMemoryMetadata.updated"),
    without: "a second label of the same URL is the problem `not-in-release`",
    release: "1.4",
  },
  "model-group-links": {
    what: "links of ML model groups",
    asked: field("MLModelGroup.institutionalMemory"),
    without: "a declared one is the problem `not-in-release`",
    release: "1.4",
  },
  "domain-attribution": {
    what: "the source of domains, and patches of domains",
    asked: field("DomainAssociation.attribution"),
    without: "domains are written without a source and without patches",
    release: "1.7",
  },
  "hidden-stages": {
    what: "searches that also find what a lifecycle stage hides",
    asked: { by: "input", field: "SearchFlags.includeHiddenLifecycleStages" },
    without: "searches do not ask for it: the server has no such stages",
    release: "1.7",
  },
  "domain-creations": {
    what: "when a domain was created, which a token may only see with the domain",
    asked: field("DomainProperties.customProperties"),
    without: "a domain that the token may not view is recognized by its owners and links",
    release: "1.7",
  },
  "several-data-products": {
    what: "several data products of one asset",
    asked: { by: "flag", flag: "multipleDataProductsPerAsset" },
    without: "an asset that joins a data product leaves the one that it was in, and the plan shows that",
    release: "1.7",
  },
} as const satisfies Readonly<Record<string, Omit<Capability, "id">>>;

export type CapabilityId = keyof typeof table;

/** The capabilities that a field of GraphQL shows. */
type ShownByField = {
  [Id in CapabilityId]: (typeof table)[Id]["asked"] extends { readonly by: "field" } ? Id : never;
}[CapabilityId];

/** All capabilities, in the order of the releases that brought them. */
export const capabilities: readonly (Capability & { readonly id: CapabilityId })[] = (
  Object.keys(table) as CapabilityId[]
).map((id) => ({ id, ...table[id] }));

/** The way to find out whether a server has a capability. */
export function probeFor<Id extends CapabilityId>(id: Id): (typeof table)[Id]["asked"] {
  return table[id].asked;
}

/** The field of GraphQL, as `Type.field`, that shows a capability. */
export function fieldOf(id: ShownByField): string {
  return table[id].asked.field;
}

/** A capability as the feature that a value needs. `what` is the subject of a sentence about it. */
export function featureOf(
  id: ShownByField,
  what: string,
): { readonly field: string; readonly release: string; readonly what: string } {
  return { field: fieldOf(id), release: table[id].release, what };
}
