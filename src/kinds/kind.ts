/** Defines the interface for kinds. A kind describes how its entities are identified, stored, deleted and matched. */

import type { Json, JsonObject } from "../model/json.ts";
import type { Asset, MatchKey } from "../model/rule.ts";
import type { UrnFault, Urn } from "../model/urn.ts";
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
   * The GraphQL mutation that permanently deletes the entity. Its argument is `urn: String!`. The server removes references to
   * the entity shortly afterward. Without a mutation, the entity is soft-deleted by setting its `status`, and references to it
   * are kept.
   */
  readonly mutation?: string;
  /** The privilege that a token needs for the mutation. */
  readonly privilege?: Privilege;
  /**
   * The relationships in DataHub's graph through which other entities refer to the entity (`@Relationship` in DataHub's models).
   */
  readonly relationships: readonly string[];
  /** The fields in DataHub's search index that contain references to the entity. Group memberships have no such field. */
  readonly searchFields: readonly string[];
  /** Returns searches for entities that use the entity but have no relationship to it. `key` is the key in the entity's URN. */
  usedIn?(key: string): readonly UseSearch[];
  /** The consequences of a deletion, as shown in plans: a sentence without its final period. */
  readonly aftermath?: string;
  /** Whether `--prune` deletes entities of this kind by default. */
  readonly byDefault?: true;
}

/**
 * The location of a stored field: the aspect and the field name. If the field is required, `unset` is the text that means "no
 * value".
 */
export type Place = readonly [aspect: string, field: string, unset?: string];

/** A search condition (DataHub's FacetFilterInput): a field has one of the values, contains one of them, or has any value. */
export interface SearchFilter {
  readonly field: string;
  readonly values: readonly string[];
  readonly condition?: "CONTAIN" | "EXISTS";
}

/**
 * A search for entities. `type` is a value of DataHub's enum EntityType. Without it, the search covers DataHub's default types.
 */
export interface UseSearch {
  readonly type?: string;
  /** Alternative lists of filters. An entity is found if all filters in at least one list match. */
  readonly anyOf: readonly (readonly SearchFilter[])[];
}

/** Finds existing entities with similar names, to suggest them in place of a missing entity. */
interface SimilarNames {
  nameOf(urn: Urn): string;
  /** Returns alternative lists of search filters. An entity is found if all filters in at least one list match. */
  filters(urn: Urn): readonly (readonly SearchFilter[])[];
}

/** How rules match assets of a kind. */
interface Matching {
  readonly hasColumns?: boolean;
  /** Returns the URN parts that rules match, if there are any. `name` includes the platform instance. */
  partsOf?(urn: Urn): Pick<Asset, "platform" | "env" | "name" | "flow" | "cluster">;
  /** Maps match keys to fields in DataHub's search index. For every asset, the field contains the key's full value. */
  readonly indexed: Readonly<Partial<Record<MatchKey, string>>>;
}

/** The URN derived from a document's identifying fields, or the fault in one of these fields. */
export type Identity = { readonly urn: Urn } | { readonly fault: UrnFault; readonly field: string };

/** A warning about a valid value that is probably wrong. */
interface Doubt {
  readonly field: string;
  /** The end of a message: a description of the expected value. */
  readonly expected: string;
  readonly suggestion: string;
}

/** A change that DataHub rejects. `reason` continues a sentence that begins with the facet's name. `way` is the remedy. */
export interface RefusedChange {
  readonly facet: string;
  readonly reason: string;
  readonly way: string;
}

/** A name that DataHub derives from an entity and that must be unique. */
interface UniqueName {
  /** The noun that follows "the same" in a message. */
  readonly what: string;
  /** The remedy if two entities would have the same name. */
  readonly way: string;
  /** Derives an entity's name from its key and its declared facets. */
  of(key: string, facets: Entity["facets"]): string;
}

/** An aspect, and a GraphQL selection whose result is not null if the aspect is stored and the token may view the entity. */
export type TypedAspect = readonly [aspect: string, selection: string];

/**
 * How to recognize an entity that the token may not view. With view authorization, GraphQL returns an empty shell for such an
 * entity (AuthorizationUtils.restrictEntity).
 */
export interface Shell {
  /** A GraphQL selection whose result is empty for every shell, but rarely for other entities. */
  readonly sign: string;
  readonly typed: readonly TypedAspect[];
  /** Additional aspects on servers whose GraphQL schema contains `field`, which is written as `Type.field`. */
  readonly newer?: { readonly field: string; readonly typed: readonly TypedAspect[] };
}

/** A kind of entity: how manifests declare its entities, and how the catalog stores them. */
export interface Kind<Name extends string = string> {
  readonly name: Name;
  /** The noun for one entity in messages. `plural` is the noun for several entities. */
  readonly noun: string;
  readonly plural: string;
  /** The entity type as it appears in URNs. */
  readonly entityType: string;
  /** The type's name in DataHub's GraphQL schema. */
  readonly typename: string;
  /** The type's value in DataHub's enum EntityType, for searches. */
  readonly searchType: string;
  /** The route to the entity's page in DataHub's web interface (`getPathName` in datahub-web-react/src/app/entity). */
  readonly page: string;
  /** Whether manifests only enrich existing entities (`observed`), or also create, update and delete entities (`owned`). */
  readonly lifecycle: "observed" | "owned";
  /** Whether a `status` aspect can mark entities as soft-deleted. */
  readonly softDeletable: boolean;
  /** Whether entities represent people, whose aspects contain personal data. */
  readonly isPerson?: true;
  /** For assets: whether users can edit the description. If no one has edited it, the catalog shows the ingested description. */
  readonly isDescribed?: true;
  readonly isDeprecatable?: true;
  /** Whether entities can have values of structured properties. */
  readonly hasStructuredProperties?: true;
  readonly ownable: boolean;
  /** The aspect and the field that store each facet, for facets that consist of a single field. */
  readonly storage: Readonly<Record<string, Place>>;
  /** How to read aspects that GraphQL returns only as typed fields, not in their stored form. */
  readonly aspectFields?: {
    /** The GraphQL selection. The server returns an error if the aspect is missing, because the fields are not nullable. */
    readonly selection: string;
    /** Converts a response into stored aspects, keyed by name. */
    aspectsIn(answered: JsonObject): JsonObject;
  };
  /** Absent for kinds whose entities GraphQL shows to every token (AuthUtil.java, VIEW_RESTRICTED_ENTITY_TYPES). */
  readonly shell?: Shell;
  /** The facet that contains the display name. It must be in `storage`. */
  readonly displayName?: string;
  /** The facet that contains the parent, if entities form a tree. */
  readonly parentFacet?: string;
  /** How to read and find names and platforms. Only for kinds whose URNs contain both. */
  readonly asset?: {
    nameOf(urn: Urn): string;
    platformOf(urn: Urn): string;
    /**
     * Returns search filters for a name. All filters in at least one list must match. The search may also find entities with
     * other names.
     */
    called(name: string): readonly (readonly SearchFilter[])[];
  };
  /** The keys by which rules match entities. Only for observed kinds, because rules match existing assets. */
  readonly matchedBy?: readonly MatchedBy[];
  /** How rules match the entities. Only for kinds that rules can match. */
  readonly matching?: Matching;
  /** Finds entities with similar names. Absent for kinds whose names are generated. */
  readonly similarNames?: SimilarNames;
  /** The privilege that a token needs to write the aspects. By default, this is the privilege to edit entities. */
  readonly privilege?: Privilege;
  /** A name that must be unique, in addition to the id. */
  readonly uniqueName?: UniqueName;
  /** Returns the changes that DataHub would reject, given all facets before and after the change. */
  refusedChanges?(before: Entity["facets"], after: Entity["facets"]): readonly RefusedChange[];
  /** Whether a change to the definition may make existing values invalid, although DataHub accepts the change. */
  outdatesValues?(before: Entity["facets"], after: Entity["facets"]): boolean;
  /** How to delete the entities. Only for owned kinds. */
  readonly deletion?: Deletion;
  /** JSON Schema for the fields that identify an entity. */
  readonly fields: JsonObject;
  /** JSON Schema keywords that define a document's required fields. */
  readonly constraints: JsonObject;
  /** Descriptions for facet schemas. They replace a facet's own description if it does not suit the kind. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /**
   * Examples for facet schemas. They replace a facet's own examples if they do not suit the kind. The examples of all kinds
   * describe one fictional company.
   */
  readonly examples?: Readonly<Record<string, readonly Json[]>>;
  /**
   * The fields that identify an entity in a manifest, for kinds that manifests do not create. A problem about a missing entity
   * points to the first field that the manifest has.
   */
  readonly namedBy?: readonly string[];
  /** Finds a probable mistake in the identifying fields of a document that is valid according to the schema. */
  doubtAbout?(document: JsonObject): Doubt | undefined;
  /** Returns the URN for a document that is valid according to the schema, or the reason why its fields do not form a URN. */
  urnOf(document: JsonObject): Identity;
  /** Returns the identifying fields for a URN. This is the inverse of `urnOf`. */
  identityOf(urn: Urn): JsonObject;
  /**
   * Returns the folders and the file name for an entity's manifest. They may contain characters that file systems do not allow.
   */
  pathOf(urn: Urn): readonly string[];
  /** Whether DataHub itself creates the entity with this key. */
  isSystem?(key: string): boolean;
  /**
   * Returns a new entity's initial aspects, given the key in its URN. They are written in the returned order, before the entity's
   * other aspects. Each aspect is written only after the previous aspect is stored.
   */
  initial(key: string): Readonly<Record<string, JsonObject>>;
  /**
   * The correct field name for each name that users may write by mistake. The mistaken names are valid in files for DataHub's own
   * `upsert` command, or in manifests of other kinds.
   */
  readonly otherNames?: Readonly<Record<string, string>>;
}

/** Returns a facet's schema. The kind's own description and examples, if any, replace those of the facet. */
export function fittedTo(
  { descriptions = {}, examples = {} }: Kind,
  facet: string,
  schema: JsonObject,
): JsonObject {
  const own = Object.entries({ description: descriptions[facet], examples: examples[facet] });
  const given = own.filter(([, value]) => value !== undefined);
  return given.length > 0 ? { ...schema, ...Object.fromEntries(given) } : schema;
}
