import { type Json, type JsonObject, textOf } from "../model/json.ts";
import type { Asset, MatchKey } from "../model/rule.ts";
import { nonEmptyString, shortestOf, urnOfId } from "../model/identifier.ts";
import { plainKeyOf, type UrnFault, type Urn } from "../model/urn.ts";
import type { Entity } from "../model/state.ts";
import type { MatchedBy, StoredKey } from "./match-key.ts";

/** A privilege of DataHub's policies (PoliciesConfig.java): its name there, and what policies call it in the UI. */
export interface Privilege {
  readonly name: string;
  readonly title: string;
}

/** How an entity is deleted, and what falls with it. */
interface Deletion {
  /**
   * The GraphQL mutation that deletes it for good, `(urn: String!)`. The server takes references to the entity away a little
   * later. Without one the entity is soft-deleted by its `status`, and references to it stay.
   */
  readonly mutation?: string;
  /** What a token needs for the mutation. */
  readonly privilege?: Privilege;
  /** The relationships of DataHub's graph by which assignments point at it (`@Relationship` in its models). */
  readonly relationships: readonly string[];
  /** The fields of DataHub's search index with such assignments; memberships have none. */
  readonly searchFields: readonly string[];
  /** Where no relationship points at it: the searches that find what has a value of it, for the key of its URN. */
  usedIn?(key: string): readonly UseSearch[];
  /** What a deletion means for later, as a sentence of a plan without its full stop. */
  readonly aftermath?: string;
  /** Whether `--prune` deletes entities of this kind where the settings name no kinds. */
  readonly byDefault?: true;
}

/** Where a field of an entity is stored: the aspect, the field in it, and what is stored for no value if it is required. */
export type Place = readonly [aspect: string, field: string, unset?: string];

/** A condition of a search: DataHub's FacetFilterInput. A field has one of the values, contains one, or has any. */
export interface SearchFilter {
  readonly field: string;
  readonly values: readonly string[];
  readonly condition?: "CONTAIN" | "EXISTS";
}

/** A search for entities of a type (a value of DataHub's enum EntityType), or of all that searches find by default. */
export interface UseSearch {
  readonly type?: string;
  /** All filters of at least one list hold. */
  readonly anyOf: readonly (readonly SearchFilter[])[];
}

/** How existing entities are found that an absent one was perhaps meant to be: by its name. */
interface SimilarNames {
  nameOf(urn: Urn): string;
  /** The filters of a search: all of at least one list must match. */
  filters(urn: Urn): readonly (readonly SearchFilter[])[];
}

/** How the values that rules match are read, where assets of the kinds differ. */
interface Matching {
  /** What to select of an asset for its platform and name. */
  readonly selection: string;
  /** The same from what is stored, where something is selected. */
  readonly fromStored?: readonly StoredKey[];
  /** What to select as `columns` of an asset: a list of `fields`, each with `fieldPath` and `nativeDataType`. */
  readonly columns?: string;
  /** What to select as `edited` of an asset: a list of `fields`, each with the `fieldPath` of a column that people edited. */
  readonly editedColumns?: string;
  /** Both from what is stored. */
  readonly columnsFromStored?: readonly StoredKey[];
  /** Its name with the prefix of the platform instance. */
  partsOf(urn: Urn, answered: JsonObject): Pick<Asset, "platform" | "env" | "name" | "flow" | "cluster">;
  /** The fields of the server's search index that have the complete value of a key for every asset. */
  readonly indexed: Readonly<Partial<Record<MatchKey, string>>>;
}

/** The URN of a document, or why it has none and which field is to blame. */
export type Identity = { readonly urn: Urn } | { readonly fault: UrnFault; readonly field: string };

/** A value that is taken, and probably not what was meant. */
interface Doubt {
  readonly field: string;
  /** What it should be, as a message ends. */
  readonly expected: string;
  readonly suggestion: string;
}

/** A change that DataHub refuses, as a message goes on after the name of the facet, and what to do instead. */
export interface RefusedChange {
  readonly facet: string;
  readonly reason: string;
  readonly way: string;
}

/** A name that DataHub makes of an entity, and that only one can have. */
interface UniqueName {
  /** What it is, as a message goes on after "the same". */
  readonly what: string;
  /** What to do where two would have it. */
  readonly way: string;
  /** The name of an entity, by its key and the facets that are declared. */
  of(key: string, facets: Entity["facets"]): string;
}

/** An aspect, and a field of GraphQL that is not null where the aspect is stored, unless the token may not view the entity. */
export type TypedAspect = readonly [aspect: string, selection: string];

/**
 * How an entity is recognized that the token may not view: where view authorization is on, GraphQL answers an empty shell
 * (AuthorizationUtils.restrictEntity).
 */
export interface Shell {
  /** What to select: empty in every shell, and of few entities else. */
  readonly sign: string;
  readonly typed: readonly TypedAspect[];
  /** More of them, which only servers with a field, `Type.field`, have. */
  readonly newer?: { readonly field: string; readonly typed: readonly TypedAspect[] };
}

/** What a manifest may declare and how it is found in the catalog. Its index in the list is its rank: referenced kinds come first. */
export interface Kind<Name extends string = string> {
  readonly name: Name;
  /** What one of its entities is called in messages, and what several are. */
  readonly noun: string;
  readonly plural: string;
  /** The entity type as URNs of this kind spell it. */
  readonly entityType: string;
  /** The name of its type in DataHub's GraphQL schema. */
  readonly typename: string;
  /** Its value of DataHub's enum EntityType, by which a search names it. */
  readonly searchType: string;
  /** The route of its pages in DataHub's web interface (`getPathName` in datahub-web-react/src/app/entity). */
  readonly page: string;
  /** Observed entities are enriched, never created or deleted; owned ones are created and updated. */
  readonly lifecycle: "observed" | "owned";
  /** Whether entities have a `status` aspect by which they can be soft-deleted. */
  readonly softDeletable: boolean;
  /** Whether entities are people: what their own aspects say is personal. */
  readonly isPerson?: true;
  /** Of assets: whether people edit a description beside the one that ingestion wrote, which the catalog shows else. */
  readonly isDescribed?: true;
  /** Whether its entities can be deprecated. */
  readonly isDeprecatable?: true;
  /** Whether its entities can have values of structured properties. */
  readonly hasStructuredProperties?: true;
  /** Whether entities have owners. */
  readonly ownable: boolean;
  /** Where facets that are one field of an aspect are stored, by facet. */
  readonly storage: Readonly<Record<string, Place>>;
  /** How aspects are read where GraphQL answers them in fields of their own, and not as they are stored. */
  readonly aspectFields?: {
    /** As GraphQL text. Without the aspect the server answers an error: the fields are not nullable. */
    readonly selection: string;
    /** The aspects by name, as they are stored. */
    aspectsIn(answered: JsonObject): JsonObject;
  };
  /** Not of kinds that every token may view: GraphQL does not redact them (AuthUtil.java, VIEW_RESTRICTED_ENTITY_TYPES). */
  readonly shell?: Shell;
  /** The facet of its display name, one of those in `storage`. */
  readonly displayName?: string;
  /** The facet that names the entity above, where entities of this kind form a tree. */
  readonly parentFacet?: string;
  /** Only where URNs contain the name and the data platform. */
  readonly asset?: {
    nameOf(urn: Urn): string;
    platformOf(urn: Urn): string;
    /** The filters of a search for a name: all of at least one list must match. It may find other names, too. */
    called(name: string): readonly (readonly SearchFilter[])[];
  };
  /** By what rules match its entities. Only observed ones have it: rules match existing assets. */
  readonly matchedBy?: readonly MatchedBy[];
  /** Only of kinds that rules match. */
  readonly matching?: Matching;
  /** Not where names are made by machines. */
  readonly similarNames?: SimilarNames;
  /** What a token needs to write its aspects, where that is not the privilege to edit entities. */
  readonly privilege?: Privilege;
  /** What only one of its entities can have, though their ids differ. */
  readonly uniqueName?: UniqueName;
  /** The changes of an entity that DataHub refuses, from all its facets before and after. */
  refusedChanges?(before: Entity["facets"], after: Entity["facets"]): readonly RefusedChange[];
  /** Whether values that were there before a change may not fit its entity any more, though DataHub accepts the change. */
  outdatesValues?(before: Entity["facets"], after: Entity["facets"]): boolean;
  /** Only owned ones have it. */
  readonly deletion?: Deletion;
  /** JSON Schema of the fields that identify it. */
  readonly fields: JsonObject;
  /** JSON Schema keywords for the document: what is required. */
  readonly constraints: JsonObject;
  /** By facet, the examples of its schema, where those of other kinds do not suit it: all kinds show one world. */
  readonly examples?: Readonly<Record<string, readonly Json[]>>;
  /** The fields by which a manifest names an entity, only where none is created: of these one is missing where it is not there. */
  readonly namedBy?: readonly string[];
  /** What is probably wrong with the identity of a document that fits the schema. */
  doubtAbout?(document: JsonObject): Doubt | undefined;
  /** The URN of a document that fits the schema. */
  urnOf(document: JsonObject): Identity;
  /** The fields by which a manifest names an entity: `urnOf` gives the URN back. */
  identityOf(urn: Urn): JsonObject;
  /** The names of folders and of a file for the manifest of an entity, not yet made safe for a file system. */
  pathOf(urn: Urn): readonly string[];
  /** Whether DataHub itself makes and keeps the entity of a key. */
  isSystem?(key: string): boolean;
  /**
   * The content of a new entity's aspects before its declared fields are set; by aspect, for the key of its URN. They are
   * written in this order, each when the one before is there, and everything else of the entity after them.
   */
  initial(key: string): Readonly<Record<string, JsonObject>>;
  /** Other names of fields of a manifest: those in the files of DataHub's own `upsert` command, and those of other kinds. */
  readonly otherNames?: Readonly<Record<string, string>>;
}

/** What shows that an asset can be viewed, of every kind. */
export const typedOfAssets: readonly TypedAspect[] = [
  ["status", "status { __typename }"],
  ["ownership", "ownership { __typename }"],
  ["globalTags", "tags { __typename }"],
  ["glossaryTerms", "glossaryTerms { __typename }"],
];

/** What shows that a definition can be viewed, of those that have owners and links. */
export const typedOfDefinitions: readonly TypedAspect[] = [
  ["ownership", "ownership { __typename }"],
  ["institutionalMemory", "institutionalMemory { __typename }"],
];

/** What a token needs to write users and groups. */
export const manageIdentities: Privilege = {
  name: "MANAGE_USERS_AND_GROUPS",
  title: "Manage Users & Groups",
};

/** The schema of a facet with the examples of a kind. */
export function withExamplesOf(
  { examples = {} }: Pick<Kind, "examples">,
  facet: string,
  schema: JsonObject,
): JsonObject {
  const own = examples[facet];
  return own ? { ...schema, examples: own } : schema;
}

/** The parts of a kind whose entities are identified by `id`; `what` an entity is called, and the id of one. */
export function identifiedById(
  entityType: string,
  what: string,
  example: string,
): Pick<Kind, "entityType" | "fields" | "constraints" | "urnOf" | "identityOf" | "pathOf"> {
  return {
    entityType,
    fields: {
      id: {
        ...nonEmptyString,
        description: `The id of the ${what}, or its full URN.`,
        examples: [example, `urn:li:${entityType}:${example}`],
      },
    },
    constraints: { required: ["id"] },
    urnOf: (document) => identityIn(document, "id", entityType),
    identityOf: (urn) => ({ id: shortestOf(urn) }),
    pathOf: (urn) => [plainKeyOf(urn)],
  };
}

/** The identity in one field of a document, as an id or a URN. */
export function identityIn(document: JsonObject, field: string, entityType: string): Identity {
  const result = urnOfId(entityType, textOf(document[field]));
  return "urn" in result ? result : { ...result, field };
}
