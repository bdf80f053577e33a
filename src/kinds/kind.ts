/** Defines the contract for kinds: how their entities are identified, stored, deleted and matched. */

import { type Json, type JsonObject, textOf } from "../model/json.ts";
import type { Asset, MatchKey } from "../model/rule.ts";
import { nonEmptyString, idOrUrn, urnOfId } from "../model/identifier.ts";
import { plainKeyOf, type UrnFault, type Urn } from "../model/urn.ts";
import type { Entity } from "../model/state.ts";
import type { MatchedBy } from "./match-key.ts";

/** A privilege in DataHub's policies (PoliciesConfig.java): its name, and its title in the UI. */
export interface Privilege {
  readonly name: string;
  readonly title: string;
}

/** How to delete an entity, and which references to it are removed. */
interface Deletion {
  /**
   * The GraphQL mutation that deletes the entity permanently, `(urn: String!)`. The server removes references to it a little later.
   * Without a mutation, the entity is soft-deleted by its `status`, and references to it are kept.
   */
  readonly mutation?: string;
  /** The privilege that a token needs for the mutation. */
  readonly privilege?: Privilege;
  /** The relationships in DataHub's graph by which other entities refer to the entity (`@Relationship` in DataHub's models). */
  readonly relationships: readonly string[];
  /** The fields in DataHub's search index that contain such references. Memberships have none. */
  readonly searchFields: readonly string[];
  /** Returns searches for entities that use the entity, if no relationship leads to them. `key` is the key in its URN. */
  usedIn?(key: string): readonly UseSearch[];
  /** The consequences of a deletion, as a sentence for a plan without the period. */
  readonly aftermath?: string;
  /** Whether `--prune` deletes entities of this kind by default. */
  readonly byDefault?: true;
}

/** A stored field's location: the aspect, the field name, and the text that means "no value" if the field is required. */
export type Place = readonly [aspect: string, field: string, unset?: string];

/** A search condition (DataHub's FacetFilterInput): a field has one of the values, contains one of them, or has any value. */
export interface SearchFilter {
  readonly field: string;
  readonly values: readonly string[];
  readonly condition?: "CONTAIN" | "EXISTS";
}

/** A search for entities of a type (a value in DataHub's enum EntityType), or of all types that searches cover by default. */
export interface UseSearch {
  readonly type?: string;
  /** The alternative lists of filters. All filters in at least one list must match. */
  readonly anyOf: readonly (readonly SearchFilter[])[];
}

/** Finds existing entities with a similar name, as suggestions for a missing entity. */
interface SimilarNames {
  nameOf(urn: Urn): string;
  /** Returns the search filters. All filters in at least one list must match. */
  filters(urn: Urn): readonly (readonly SearchFilter[])[];
}

/** How rules match assets of a kind. */
interface Matching {
  /** Whether the assets have columns. */
  readonly hasColumns?: boolean;
  /** Returns the URN parts that rules match, if there are any. The name includes the platform instance. */
  partsOf?(urn: Urn): Pick<Asset, "platform" | "env" | "name" | "flow" | "cluster">;
  /** The fields in DataHub's search index that contain a key's complete value for every asset. */
  readonly indexed: Readonly<Partial<Record<MatchKey, string>>>;
}

/** A document's URN, or the fault and the field that causes it. */
export type Identity = { readonly urn: Urn } | { readonly fault: UrnFault; readonly field: string };

/** A warning about a valid value that is probably wrong. */
interface Doubt {
  readonly field: string;
  /** The expected value, as the ending of a message. */
  readonly expected: string;
  readonly suggestion: string;
}

/** A change that DataHub refuses. `reason` continues a sentence after the facet's name; `way` is the remedy. */
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
  /** Derives an entity's name from its key and its declared facets. */
  of(key: string, facets: Entity["facets"]): string;
}

/** An aspect, and a GraphQL field that is not null if the aspect is stored and the token may view the entity. */
export type TypedAspect = readonly [aspect: string, selection: string];

/**
 * How to recognize an entity that the token may not view. With view authorization, GraphQL returns an empty shell for it
 * (AuthorizationUtils.restrictEntity).
 */
export interface Shell {
  /** The GraphQL selection that is empty in every shell and in few other entities. */
  readonly sign: string;
  readonly typed: readonly TypedAspect[];
  /** The aspects that can only be read from servers with a GraphQL field, `Type.field`. */
  readonly newer?: { readonly field: string; readonly typed: readonly TypedAspect[] };
}

/** A kind: the documents that declare it, and its entities in the catalog. A kind comes before the kinds that refer to it. */
export interface Kind<Name extends string = string> {
  readonly name: Name;
  /** The nouns for one entity and for several entities, in messages. */
  readonly noun: string;
  readonly plural: string;
  /** The entity type, as in the kind's URNs. */
  readonly entityType: string;
  /** The type's name in DataHub's GraphQL schema. */
  readonly typename: string;
  /** The type's value in DataHub's enum EntityType, for searches. */
  readonly searchType: string;
  /** The route to the entity's page in DataHub's web interface (`getPathName` in datahub-web-react/src/app/entity). */
  readonly page: string;
  /** Observed entities are only enriched; owned ones are created and updated. */
  readonly lifecycle: "observed" | "owned";
  /** Whether a `status` aspect can mark entities as soft-deleted. */
  readonly softDeletable: boolean;
  /** Whether entities are people, so that their own aspects contain personal data. */
  readonly isPerson?: true;
  /** For assets: whether people can edit the description. Without an edit, the catalog shows the ingested description. */
  readonly isDescribed?: true;
  /** Whether entities can be deprecated. */
  readonly isDeprecatable?: true;
  /** Whether entities can have values of structured properties. */
  readonly hasStructuredProperties?: true;
  /** Whether entities have owners. */
  readonly ownable: boolean;
  /** The aspects and fields that store facets, for facets that are one field in an aspect. */
  readonly storage: Readonly<Record<string, Place>>;
  /** How to read aspects that GraphQL returns only in typed fields, not as they are stored. */
  readonly aspectFields?: {
    /** The GraphQL selection. The server returns an error if the aspect is missing, because the fields are not nullable. */
    readonly selection: string;
    /** Converts the answer to the stored aspects, by name. */
    aspectsIn(answered: JsonObject): JsonObject;
  };
  /** Absent for kinds that every token may view, as GraphQL never redacts them (AuthUtil.java, VIEW_RESTRICTED_ENTITY_TYPES). */
  readonly shell?: Shell;
  /** The facet with the display name. It must be in `storage`. */
  readonly displayName?: string;
  /** The facet that names the parent, if entities form a tree. */
  readonly parentFacet?: string;
  /** Only for kinds whose URNs contain a name and a data platform. */
  readonly asset?: {
    nameOf(urn: Urn): string;
    platformOf(urn: Urn): string;
    /** Returns search filters for a name. All filters in at least one list must match. The search may also find other names. */
    called(name: string): readonly (readonly SearchFilter[])[];
  };
  /** The keys by which rules match entities. Only for observed kinds, because rules match existing assets. */
  readonly matchedBy?: readonly MatchedBy[];
  /** How rules match the entities. Only for kinds that rules can match. */
  readonly matching?: Matching;
  /** Absent for kinds whose names are generated. */
  readonly similarNames?: SimilarNames;
  /** The privilege that a token needs to write the aspects. By default, this is the privilege to edit entities. */
  readonly privilege?: Privilege;
  /** A name that must be unique, in addition to the id. */
  readonly uniqueName?: UniqueName;
  /** Returns the changes that DataHub refuses, given all facets before and after. */
  refusedChanges?(before: Entity["facets"], after: Entity["facets"]): readonly RefusedChange[];
  /** Whether existing values may no longer fit a changed definition, although DataHub accepts the change. */
  outdatesValues?(before: Entity["facets"], after: Entity["facets"]): boolean;
  /** How to delete the entities. Only for owned kinds. */
  readonly deletion?: Deletion;
  /** JSON Schema for the fields that identify an entity. */
  readonly fields: JsonObject;
  /** JSON Schema keywords that define a document's required fields. */
  readonly constraints: JsonObject;
  /** Descriptions for facet schemas, where the facet's own description does not suit the kind. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** Examples for facet schemas, where the facet's own do not suit the kind. All kinds describe one fictional company. */
  readonly examples?: Readonly<Record<string, readonly Json[]>>;
  /**
   * The fields that identify an entity in a manifest, for kinds that manifests do not create. A problem about a missing entity
   * points to the first field that the manifest has.
   */
  readonly namedBy?: readonly string[];
  /** Finds a probable mistake in the identity of a document that fits the schema. */
  doubtAbout?(document: JsonObject): Doubt | undefined;
  /** Returns the URN for a document that fits the schema. */
  urnOf(document: JsonObject): Identity;
  /** Returns the identifying fields for a URN. `urnOf` reverses it. */
  identityOf(urn: Urn): JsonObject;
  /** Returns the folders and the file name for an entity's manifest, not yet safe for a file system. */
  pathOf(urn: Urn): readonly string[];
  /** Whether DataHub itself creates the entity with this key. */
  isSystem?(key: string): boolean;
  /**
   * Returns a new entity's initial aspects, given the key in its URN. They are written in this order, each after the previous one
   * is stored, and before the entity's other aspects.
   */
  initial(key: string): Readonly<Record<string, JsonObject>>;
  /** Alternative names for manifest fields: from files for DataHub's own `upsert` command, and from other kinds. */
  readonly otherNames?: Readonly<Record<string, string>>;
}

/** The aspects whose presence in an answer shows that the token may view an asset. */
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

/** The meaning of an asset's description. */
export const editedDescription =
  "The editable description in DataHub. `none` removes it, so DataHub shows the ingested description again.";

/** The privilege that a token needs to write users and groups. */
export const manageIdentities: Privilege = {
  name: "MANAGE_USERS_AND_GROUPS",
  title: "Manage Users & Groups",
};

/** Returns a facet's schema, adapted to a kind's description and examples. */
export function fittedTo(
  { descriptions = {}, examples = {} }: Kind,
  facet: string,
  schema: JsonObject,
): JsonObject {
  const own = Object.entries({ description: descriptions[facet], examples: examples[facet] });
  const given = own.filter(([, value]) => value !== undefined);
  return given.length > 0 ? { ...schema, ...Object.fromEntries(given) } : schema;
}

/** Builds the common properties of kinds whose entities are identified by `id`. `what` is the noun, `example` an example id. */
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

/** Reads the identity from a document's field, as an id or a URN. */
export function identityIn(document: JsonObject, field: string, entityType: string): Identity {
  const result = urnOfId(entityType, textOf(document[field]));
  return "urn" in result ? result : { ...result, field };
}
