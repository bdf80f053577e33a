import { entityTypeOfUrn } from "./registry.ts";

/** An entity type as GraphQL shows it. */
interface ServedType {
  /** Its name in the registry, and in URNs. */
  readonly name: string;
  /** The GraphQL type. */
  readonly typename: string;
  /** Its value of GraphQL's EntityType. */
  readonly type: string;
  /** Whether a search without types looks for it (SearchUtils.SEARCHABLE_ENTITY_TYPES). */
  readonly searched: boolean;
}

const searchedRows = [
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
] as const;

const otherRows = [
  ["dataPlatform", "DataPlatform", "DATA_PLATFORM"],
  ["ownershipType", "OwnershipTypeEntity", "CUSTOM_OWNERSHIP_TYPE"],
  ["schemaField", "SchemaFieldEntity", "SCHEMA_FIELD"],
  ["structuredProperty", "StructuredPropertyEntity", "STRUCTURED_PROPERTY"],
  ["assertion", "Assertion", "ASSERTION"],
  ["dataProcessInstance", "DataProcessInstance", "DATA_PROCESS_INSTANCE"],
  ["dataPlatformInstance", "DataPlatformInstance", "DATA_PLATFORM_INSTANCE"],
  ["query", "QueryEntity", "QUERY"],
  ["incident", "Incident", "INCIDENT"],
  ["dataContract", "DataContract", "DATA_CONTRACT"],
] as const;

const servedTypes: readonly ServedType[] = [
  ...searchedRows.map((row) => served(row, true)),
  ...otherRows.map((row) => served(row, false)),
];

const byName: ReadonlyMap<string, ServedType> = new Map(servedTypes.map((type) => [type.name, type]));

/** How GraphQL shows the entity with this URN; undefined when its type is not served. */
export function servedTypeOf(urn: string): ServedType | undefined {
  return byName.get(entityTypeOfUrn(urn)?.name ?? "");
}

/** The names in the registry of those types that a search asks for: of all that are searched when it names none. */
export function searchedTypes(types: readonly string[] | null | undefined): readonly string[] {
  const named = new Set(types ?? []);
  const wanted = servedTypes.filter(({ type, searched }) => (named.size === 0 ? searched : named.has(type)));
  return wanted.map(({ name }) => name);
}

function served(
  [name, typename, type]: readonly [name: string, typename: string, type: string],
  searched: boolean,
): ServedType {
  return { name, typename, type, searched };
}
