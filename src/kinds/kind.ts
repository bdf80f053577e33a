/** The contract of a kind: the identity, storage, deletion and matching of its entities, as data. */

import { type Json, type JsonObject, textOf } from "../model/json.ts";
import type { Asset, MatchKey } from "../model/rule.ts";
import { nonEmptyString, idOrUrn, urnOfId } from "../model/identifier.ts";
import { plainKeyOf, type UrnFault, type Urn } from "../model/urn.ts";
import type { Entity } from "../model/state.ts";
import type { MatchedBy } from "./match-key.ts";

/** A privilege of DataHub's policies (PoliciesConfig.java): its name, and its title in the UI. */
export interface Privilege {
  readonly name: string;
  readonly title: string;
}

/** How an entity is deleted, and which references to it are removed. */
interface Deletion {
  /**
   * The GraphQL mutation that deletes the entity permanently, `(urn: String!)`. The server removes references to it a little later.
   * Without a mutation the entity is soft-deleted by its `status`, and references to it are kept.
   */
  readonly mutation?: string;
  /** The privilege that a token needs for the mutation. */
  readonly privilege?: Privilege;
  /** The relationships of DataHub's graph through which other entities refer to it (`@Relationship` in its models). */
  readonly relationships: readonly string[];
  /** The fields of DataHub's search index with such references; memberships have none. */
  readonly searchFields: readonly string[];
  /** The searches that find entities with a value of it, if no relationship leads to it. `key` is the key of its URN. */
  usedIn?(key: string): readonly UseSearch[];
  /** The consequences of a deletion, as a sentence in a plan without its period. */
  readonly aftermath?: string;
  /** Whether `--prune` deletes entities of this kind if the settings name no kinds. */
  readonly byDefault?: true;
}

/** The place of a stored field: the aspect, the field in it, and the stored text for no value if the field is required. */
export type Place = readonly [aspect: string, field: string, unset?: string];

/** A condition of a search (DataHub's FacetFilterInput): a field has one of the values, contains one, or has any. */
export interface SearchFilter {
  readonly field: string;
  readonly values: readonly string[];
  readonly condition?: "CONTAIN" | "EXISTS";
}

/** A search for entities of a type (a value of DataHub's enum EntityType), or of all types that searches cover by default. */
export interface UseSearch {
  readonly type?: string;
  /** All filters of at least one list must match. */
  readonly anyOf: readonly (readonly SearchFilter[])[];
}

/** Finds existing entities with a similar name, to suggest for a missing one. */
interface SimilarNames {
  nameOf(urn: Urn): string;
  /** The filters of a search: all of at least one list must match. */
  filters(urn: Urn): readonly (readonly SearchFilter[])[];
}

/** How rules match the assets of a kind. */
interface Matching {
  /** Whether they have columns. */
  readonly hasColumns?: boolean;
  /** The parts of a URN that rules match, if it has any. The name includes the platform instance. */
  partsOf?(urn: Urn): Pick<Asset, "platform" | "env" | "name" | "flow" | "cluster">;
  /** The fields of DataHub's search index that have the complete value of a key for every asset. */
  readonly indexed: Readonly<Partial<Record<MatchKey, string>>>;
}

/** The URN of a document, or the fault and the field that causes it. */
export type Identity = { readonly urn: Urn } | { readonly fault: UrnFault; readonly field: string };

/** A warning about a valid value that is probably wrong. */
interface Doubt {
  readonly field: string;
  /** The expected value, as a message ends. */
  readonly expected: string;
  readonly suggestion: string;
}

/** A change that DataHub refuses. `reason` continues a sentence after the name of the facet; `way` is the remedy. */
export interface RefusedChange {
  readonly facet: string;
  readonly reason: string;
  readonly way: string;
}

/** A name that DataHub derives from an entity and that must be unique. */
interface UniqueName {
  /** The noun after "the same" in a message. */
  readonly what: string;
  /** The remedy if two entities would have the same name. */
  readonly way: string;
  /** The name of an entity, from its key and its declared facets. */
  of(key: string, facets: Entity["facets"]): string;
}

/** An aspect, and a GraphQL field that is not null if the aspect is stored and the token may view the entity. */
export type TypedAspect = readonly [aspect: string, selection: string];

/**
 * How to recognize an entity that the token may not view: with view authorization, GraphQL returns an empty shell
 * (AuthorizationUtils.restrictEntity).
 */
export interface Shell {
  /** The selection that is empty in every shell and in few other entities. */
  readonly sign: string;
  readonly typed: readonly TypedAspect[];
  /** Aspects that only servers with a GraphQL field, `Type.field`, can show. */
  readonly newer?: { readonly field: string; readonly typed: readonly TypedAspect[] };
}

/** A kind: the documents that declare it, and its entities in the catalog. Kinds that others refer to come first in the list. */
export interface Kind<Name extends string = string> {
  readonly name: Name;
  /** The nouns for one entity and for several, in messages. */
  readonly noun: string;
  readonly plural: string;
  /** The entity type as URNs of this kind spell it. */
  readonly entityType: string;
  /** Its type in DataHub's GraphQL schema. */
  readonly typename: string;
  /** Its value of DataHub's enum EntityType, for searches. */
  readonly searchType: string;
  /** The route of its pages in DataHub's web interface (`getPathName` in datahub-web-react/src/app/entity). */
  readonly page: string;
  /** Observed entities are only enriched; owned ones are created and updated. */
  readonly lifecycle: "observed" | "owned";
  /** Whether entities can be soft-deleted by a `status` aspect. */
  readonly softDeletable: boolean;
  /** Whether entities are people. The content of their own aspects is personal data. */
  readonly isPerson?: true;
  /** For assets: whether people can edit a description. If they did not, the catalog shows the one from ingestion. */
  readonly isDescribed?: true;
  /** Whether entities can be deprecated. */
  readonly isDeprecatable?: true;
  /** Whether entities can have values of structured properties. */
  readonly hasStructuredProperties?: true;
  /** Whether entities have owners. */
  readonly ownable: boolean;
  /** The places of facets that are one field of an aspect. */
  readonly storage: Readonly<Record<string, Place>>;
  /** How to read aspects that GraphQL returns in typed fields and not in their stored form. */
  readonly aspectFields?: {
    /** The GraphQL selection. The server returns an error if the aspect is missing, because the fields are not nullable. */
    readonly selection: string;
    /** The stored form of the aspects, by name. */
    aspectsIn(answered: JsonObject): JsonObject;
  };
  /** Missing for kinds that every token may view, which GraphQL does not redact (AuthUtil.java, VIEW_RESTRICTED_ENTITY_TYPES). */
  readonly shell?: Shell;
  /** The facet with the display name, one of those in `storage`. */
  readonly displayName?: string;
  /** The facet that names the parent, if entities form a tree. */
  readonly parentFacet?: string;
  /** Only for kinds whose URNs contain the name and the data platform. */
  readonly asset?: {
    nameOf(urn: Urn): string;
    platformOf(urn: Urn): string;
    /** The filters of a search for a name. All filters of at least one list must match. It may find other names, too. */
    called(name: string): readonly (readonly SearchFilter[])[];
  };
  /** The keys by which rules match entities. Only for observed kinds, because rules match existing assets. */
  readonly matchedBy?: readonly MatchedBy[];
  /** Only for kinds that rules match. */
  readonly matching?: Matching;
  /** Missing for kinds whose names are generated. */
  readonly similarNames?: SimilarNames;
  /** The privilege that a token needs to write its aspects. The default is the privilege to edit entities. */
  readonly privilege?: Privilege;
  /** A name that must be unique, in addition to the id. */
  readonly uniqueName?: UniqueName;
  /** The changes that DataHub refuses, from all facets before and after. */
  refusedChanges?(before: Entity["facets"], after: Entity["facets"]): readonly RefusedChange[];
  /** Whether existing values may no longer fit a changed definition, although DataHub accepts the change. */
  outdatesValues?(before: Entity["facets"], after: Entity["facets"]): boolean;
  /** Only for owned kinds. */
  readonly deletion?: Deletion;
  /** JSON Schema of the fields that identify an entity. */
  readonly fields: JsonObject;
  /** JSON Schema keywords that say which fields a document requires. */
  readonly constraints: JsonObject;
  /** Descriptions for the schemas of facets, if the facet's own do not suit the kind. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** Examples for the schemas of facets, if the facet's own do not suit the kind. All kinds describe one fictional company. */
  readonly examples?: Readonly<Record<string, readonly Json[]>>;
  /**
   * The fields that name an entity in a manifest, for kinds that manifests do not create. A problem about a missing entity points
   * to the first that is written.
   */
  readonly namedBy?: readonly string[];
  /** A probable mistake in the identity of a document that fits the schema. */
  doubtAbout?(document: JsonObject): Doubt | undefined;
  /** The URN of a document that fits the schema. */
  urnOf(document: JsonObject): Identity;
  /** The identifying fields for a URN. `urnOf` reverses it. */
  identityOf(urn: Urn): JsonObject;
  /** The folders and the file name for the manifest of an entity, not yet safe for a file system. */
  pathOf(urn: Urn): readonly string[];
  /** Whether DataHub itself creates the entity with a key. */
  isSystem?(key: string): boolean;
  /**
   * The initial aspects of a new entity, for the key of its URN. They are written in this order, each after the previous one is
   * stored, and before everything else of the entity.
   */
  initial(key: string): Readonly<Record<string, JsonObject>>;
  /** Alternative names of manifest fields: those in the files of DataHub's own `upsert` command, and those of other kinds. */
  readonly otherNames?: Readonly<Record<string, string>>;
}

/** Aspects that show for any asset that the token may view it. */
export const typedOfAssets: readonly TypedAspect[] = [
  ["status", "status { __typename }"],
  ["ownership", "ownership { __typename }"],
  ["globalTags", "tags { __typename }"],
  ["glossaryTerms", "glossaryTerms { __typename }"],
];

/** The aspects whose presence in an answer shows that the token may view a definition that has owners and links. */
export const typedOfDefinitions: readonly TypedAspect[] = [
  ["ownership", "ownership { __typename }"],
  ["institutionalMemory", "institutionalMemory { __typename }"],
];

/** The meaning of a description of an asset. */
export const editedDescription =
  "The editable description in DataHub. `none` removes it, so DataHub shows the ingested description again.";

/** The privilege that a token needs to write users and groups. */
export const manageIdentities: Privilege = {
  name: "MANAGE_USERS_AND_GROUPS",
  title: "Manage Users & Groups",
};

/** The schema of a facet with the description and the examples of a kind. */
export function fittedTo(
  { descriptions = {}, examples = {} }: Kind,
  facet: string,
  schema: JsonObject,
): JsonObject {
  const own = Object.entries({ description: descriptions[facet], examples: examples[facet] });
  const given = own.filter(([, value]) => value !== undefined);
  return given.length > 0 ? { ...schema, ...Object.fromEntries(given) } : schema;
}

/** The parts of a kind whose entities are identified by `id`. `what` is the noun, `example` the id of one. */
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
        description: `The id or full URN of the ${what}. Changing the id makes it a different ${what}.`,
        examples: [example, `urn:li:${entityType}:${example}`],
      },
    },
    constraints: { required: ["id"] },
    urnOf: (document) => identityIn(document, "id", entityType),
    identityOf: (urn) => ({ id: idOrUrn(urn) }),
    pathOf: (urn) => [plainKeyOf(urn)],
  };
}

/** The identity in a field of a document, as an id or a URN. */
export function identityIn(document: JsonObject, field: string, entityType: string): Identity {
  const result = urnOfId(entityType, textOf(document[field]));
  return "urn" in result ? result : { ...result, field };
}
