/** Maps entity types to their GraphQL names, and determines the types that a search covers. */

import { entityTypeOfUrn } from "./entity-types.ts";

/** An entity type as it appears in GraphQL. */
interface GraphqlType {
  readonly name: string;
  readonly typename: string;
  /** The type's value in GraphQL's enum EntityType. */
  readonly type: string;
}

const rows = [
  ["dataset", "Dataset", "DATASET"],
  ["container", "Container", "CONTAINER"],
  ["domain", "Domain", "DOMAIN"],
  ["tag", "Tag", "TAG"],
  ["corpuser", "CorpUser", "CORP_USER"],
  ["corpGroup", "CorpGroup", "CORP_GROUP"],
  ["chart", "Chart", "CHART"],
  ["dashboard", "Dashboard", "DASHBOARD"],
  ["dataFlow", "DataFlow", "DATA_FLOW"],
  ["dataJob", "DataJob", "DATA_JOB"],
  ["glossaryTerm", "GlossaryTerm", "GLOSSARY_TERM"],
  ["glossaryNode", "GlossaryNode", "GLOSSARY_NODE"],
  ["mlModel", "MLModel", "MLMODEL"],
  ["mlModelGroup", "MLModelGroup", "MLMODEL_GROUP"],
  ["mlFeatureTable", "MLFeatureTable", "MLFEATURE_TABLE"],
  ["mlFeature", "MLFeature", "MLFEATURE"],
  ["mlPrimaryKey", "MLPrimaryKey", "MLPRIMARY_KEY"],
  ["notebook", "Notebook", "NOTEBOOK"],
  ["dataProduct", "DataProduct", "DATA_PRODUCT"],
  ["businessAttribute", "BusinessAttribute", "BUSINESS_ATTRIBUTE"],
  ["role", "Role", "ROLE"],
  ["application", "Application", "APPLICATION"],
  ["document", "Document", "DOCUMENT"],
  // A search covers the types below only if it lists them.
  ["dataPlatform", "DataPlatform", "DATA_PLATFORM"],
  ["ownershipType", "OwnershipTypeEntity", "CUSTOM_OWNERSHIP_TYPE"],
  ["schemaField", "SchemaFieldEntity", "SCHEMA_FIELD"],
  ["structuredProperty", "StructuredPropertyEntity", "STRUCTURED_PROPERTY"],
  ["dataType", "DataTypeEntity", "DATA_TYPE"],
  ["entityType", "EntityTypeEntity", "ENTITY_TYPE"],
  ["assertion", "Assertion", "ASSERTION"],
  ["dataProcessInstance", "DataProcessInstance", "DATA_PROCESS_INSTANCE"],
  ["dataPlatformInstance", "DataPlatformInstance", "DATA_PLATFORM_INSTANCE"],
  ["query", "QueryEntity", "QUERY"],
  ["incident", "Incident", "INCIDENT"],
  ["dataContract", "DataContract", "DATA_CONTRACT"],
] as const;

const graphqlTypes: readonly GraphqlType[] = rows.map(([name, typename, type]) => ({ name, typename, type }));

/** The types that a search covers by default (SearchUtils.SEARCHABLE_ENTITY_TYPES). */
const searchable = graphqlTypes.slice(
  0,
  graphqlTypes.findIndex(({ name }) => name === "dataPlatform"),
);

const byName: ReadonlyMap<string, GraphqlType> = new Map(graphqlTypes.map((type) => [type.name, type]));

/** Returns the GraphQL type for an entity, or undefined if GraphQL does not serve the type. */
export function graphqlTypeOf(urn: string): GraphqlType | undefined {
  return graphqlTypeNamed(entityTypeOfUrn(urn)?.name ?? "");
}

/** Returns the GraphQL type for a type name in the registry, or undefined if GraphQL does not serve the type. */
export function graphqlTypeNamed(name: string): GraphqlType | undefined {
  return byName.get(name);
}

/** Returns the registry names of the types that a search covers: the listed types, or all searchable types if none are listed. */
export function searchedTypes(types: readonly string[] | null | undefined): readonly string[] {
  const named = new Set(types ?? []);
  const wanted = named.size === 0 ? searchable : graphqlTypes.filter(({ type }) => named.has(type));
  return wanted.map(({ name }) => name);
}
