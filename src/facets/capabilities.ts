/** Lists the capabilities that only some DataHub releases have, with their probes and the effects of their absence. */

import type { Capability } from "../model/capability.ts";

const field = <Field extends `${string}.${string}`>(of: Field) => ({ by: "field", field: of }) as const;

/** The capabilities, keyed by id. `Kind.shell` repeats two of the GraphQL fields, because kinds cannot import this table. */
const table = {
  // DataHub pull request #10868 added this capability and the next one.
  "conditional-writes": {
    what: "conditional writes (`If-Version-Match`)",
    asked: { by: "versions" },
    without:
      "definitions are written without conditions, and `apply` with `writes: conditional` fails before it writes anything",
    release: "0.14",
  },
  "aspect-batches": {
    what: "reading the aspects of many entities in one request",
    asked: { by: "aspects-of-none" },
    without:
      "aspects for definitions and conditional writes are read one at a time, and assets are read through GraphQL even with `reads: openapi`",
    release: "0.14",
  },
  "unset-structured-properties": {
    what: "removing structured property values",
    asked: field("Mutation.removeStructuredProperties"),
    without: "declaring `none` for a structured property causes the problem `unremovable-value`",
    release: "1.0",
  },
  "deprecation-replacements": {
    what: "`replacement` in a deprecation, and deprecation of containers",
    asked: field("Deprecation.replacement"),
    without: "declaring them causes the problem `not-in-release`",
    release: "1.0",
  },
  "sorted-scrolls": {
    what: "search results sorted by URN",
    asked: { by: "input", field: "SearchSortInput.sortCriteria" },
    without: "the server chooses the order, so searches can miss entities while someone changes the catalog",
    release: "1.0",
  },
  "container-paths": {
    what: "browse paths of containers, visible only to tokens that can view the container",
    asked: field("Container.browsePathV2"),
    without:
      "the tool can detect that the token may not view a container only if the container has owners, tags, terms, subtypes or a parent",
    release: "1.0",
  },
  "tag-attribution": {
    what: "a stored source for each tag, and patches for tags and descriptions",
    asked: field("TagAssociation.attribution"),
    without:
      "tags are written without a source, and `writes: conditional` replaces the entire aspect instead of patching it",
    release: "1.3",
  },
  "owner-attribution": {
    what: "a stored source for each owner, and patches for owners",
    asked: field("Owner.attribution"),
    without:
      "owners are written without a source, and `writes: conditional` replaces the entire aspect instead of patching it",
    release: "1.3",
  },
  "term-attribution": {
    what: "a stored source for each glossary term, and patches for terms",
    asked: field("GlossaryTermAssociation.attribution"),
    without:
      "terms are written without a source, and `writes: conditional` replaces the entire aspect instead of patching it",
    release: "1.3",
  },
  "structured-property-attribution": {
    what: "a stored source for each structured property value, and patches for these values",
    asked: field("StructuredPropertiesEntry.attribution"),
    without:
      "values are written without a source, and `writes: conditional` replaces the entire aspect instead of patching it",
    release: "1.3",
  },
  "column-tags": {
    what: "tags on the `schemaField` entities that the server stores for columns",
    asked: field("SchemaFieldEntity.tags"),
    without: "tags that ingestion sets on columns are not shown as unmanaged",
    release: "1.3",
  },
  "column-terms": {
    what: "glossary terms on the `schemaField` entities that the server stores for columns",
    asked: field("SchemaFieldEntity.glossaryTerms"),
    without: "terms that ingestion sets on columns are not shown as unmanaged",
    release: "1.3",
  },
  "link-labels": {
    what: "several links with the same URL and different labels",
    asked: field("InstitutionalMemoryMetadata.updated"),
    without: "a second label for the same URL causes the problem `not-in-release`",
    release: "1.4",
  },
  "model-group-links": {
    what: "links on ML model groups",
    asked: field("MLModelGroup.institutionalMemory"),
    without: "declaring them causes the problem `not-in-release`",
    release: "1.4",
  },
  "domain-attribution": {
    what: "a stored source for each domain, and patches for domains",
    asked: field("DomainAssociation.attribution"),
    without: "domains are written without a source and without patches",
    release: "1.7",
  },
  "hidden-stages": {
    what: "searches that include entities in hidden lifecycle stages",
    asked: { by: "input", field: "SearchFlags.includeHiddenLifecycleStages" },
    without: "no effect, because the server has no such stages",
    release: "1.7",
  },
  "domain-creations": {
    what: "the creation time of domains, visible only to tokens that can view the domain",
    asked: field("DomainProperties.customProperties"),
    without:
      "the tool can detect that the token may not view a domain only if the domain has owners or links",
    release: "1.7",
  },
  "several-data-products": {
    what: "several data products per asset",
    asked: { by: "flag", flag: "multipleDataProductsPerAsset" },
    without: "an asset that joins a data product leaves its previous one, and the plan shows this",
    release: "1.7",
  },
} as const satisfies Readonly<Record<string, Omit<Capability, "id">>>;

export type CapabilityId = keyof typeof table;

/** The capabilities that the tool detects by the presence of a GraphQL field. */
type ShownByField = {
  [Id in CapabilityId]: (typeof table)[Id]["asked"] extends { readonly by: "field" } ? Id : never;
}[CapabilityId];

/** All capabilities, ordered by the release that introduced them. */
export const capabilities: readonly (Capability & { readonly id: CapabilityId })[] = (
  Object.keys(table) as CapabilityId[]
).map((id) => ({ id, ...table[id] }));

/** Returns the probe that detects whether a server has a capability. */
export function probeFor<Id extends CapabilityId>(id: Id): (typeof table)[Id]["asked"] {
  return table[id].asked;
}

/** Returns the GraphQL field (`Type.field`) whose presence shows that a server has a capability. */
export function fieldOf(id: ShownByField): string {
  return table[id].asked.field;
}

/** Describes a capability as a feature that a value requires. `what` is the subject of messages about the feature. */
export function featureOf(
  id: ShownByField,
  what: string,
): { readonly field: string; readonly release: string; readonly what: string } {
  return { field: fieldOf(id), release: table[id].release, what };
}
