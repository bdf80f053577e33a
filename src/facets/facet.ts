/** Defines the contract for facets: the data and functions that the program needs to read, compare, write and display them. */

import type { KnownKind } from "../kinds/index.ts";
import type { Privilege } from "../kinds/kind.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import type { FacetValue, Member, Scalar } from "../model/state.ts";
import type { AnsweredAspect } from "./answered-aspects.ts";
import type { Parsing } from "./parsing.ts";
import type { ColumnEntity, Definitions, Keys, StoringColumnEntity } from "./map-contract.ts";
import type { ScalarWrites, SetWrites } from "./write-contract.ts";

/** The value of a facet as read from the catalog, including values that cannot be edited. */
export interface Observed {
  readonly value: FacetValue;
  /** For a map, the ingested values, which cannot be edited. */
  readonly ingested?: readonly { readonly path: Path; readonly value: Member | Scalar }[];
  /** For a map, values that are stored under keys that no longer exist. */
  readonly dormant?: FacetValue;
  /** All stored values, if DataHub stores several for a scalar. Only the first value counts. */
  readonly several?: readonly Scalar[];
}

/** The value that a facet has if no manifest declares it. */
interface Implied {
  readonly for: "every-entity" | "new-entity";
  /** Returns the value. `key` is the key in the URN of the entity. */
  value(key: string): Scalar;
}

/** A server feature that only newer releases have. */
export interface Feature {
  /** The GraphQL field (`Type.field`) that only servers with the feature have. */
  readonly field: string;
  /** The first DataHub release with the feature, for use in messages. */
  readonly release: string;
  /** The subject of messages about the feature. */
  readonly what: string;
}

/** The words for a sentence about the entity that a value refers to, such as "domain Growth gets 3 datasets". */
interface Wording {
  /** The verbs that follow the name of the entity, for an added value and for a removed value. */
  readonly gains: string;
  readonly loses: string;
  /** The noun before the name of the entity, if the verb does not imply it. */
  readonly noun?: string;
  /** Returns the URN of the entity, if the value itself is not this URN. */
  subjectOf?(value: Member | Scalar): string;
}

/** An option of `list` that finds entities by the values of a facet. */
export interface ListOption {
  /** The name of the option, without dashes. */
  readonly name: string;
  /** The option's argument on the command line, and the help text. */
  readonly argument: string;
  readonly description: string;
  /** The entity types that the option accepts, spelled as in URNs. */
  readonly entityTypes: readonly string[];
  /** Whether the argument can include `=` and a value after the name. */
  readonly takesValue?: true;
  /** Whether `coverage` can group assets by this option. */
  readonly isGrouping?: true;
  /** Whether the option accepts `me` for the user that the token belongs to. */
  readonly takesMe?: true;
  /**
   * Returns the texts by which the option can find a value. `coverage` groups assets by the first text. `path` contains the keys
   * in a map.
   */
  readonly textsOf: (value: Member | Scalar, path: Path) => readonly string[];
}

/** How `list` shows a facet, and finds entities by it. */
export interface Listing {
  /** The options that search the facet. If a command uses several of these options, a single value must match all of them. */
  readonly options: readonly ListOption[];
  /** Whether the table that `list` prints has a column for the values. */
  readonly isColumn?: true;
  /** Whether `coverage` counts the assets that have a value. */
  readonly isCounted?: true;
  /** The facet for the same values on columns, if there is one. */
  readonly columnFacet?: string;
  /** Returns the text for a value in a table cell. By default, this is the value itself. */
  readonly cellOf?: (value: Member | Scalar) => string;
}

/** The complete definition of a facet. Only `src/facets` and `src/kinds` refer to facets by name. */
export interface FacetContract {
  /**
   * The name of the facet in settings, plans and messages, and its key in manifests. `columns.x` is the key `x` for each column.
   */
  readonly name: string;
  readonly kinds: readonly KnownKind[];
  /** The JSON Schema for the value in a manifest, or for an entry of a map. A facet without a schema cannot be declared. */
  readonly schema?: JsonObject;
  /** The JSON Schemas for the value, keyed by kind, for kinds whose manifests allow a different notation. */
  readonly schemaFor?: Readonly<Partial<Record<string, JsonObject>>>;
  /** The entity types that the values refer to, spelled as in URNs. */
  readonly refersTo: readonly string[];
  /** Whether a URN with one of the types in `refersTo` refers to an entity. By default, every such URN does. */
  readonly isReference?: (urn: string) => boolean;
  /** The fields of the values that refer to entities of any type. Other fields never refer to entities. */
  readonly referringFields?: readonly string[];
  /** The relationship that the values create in DataHub's graph, if any (`@Relationship` in DataHub's models). */
  readonly relationship?: string;
  /** The kind of entity that an element declares if it is a mapping with fields. */
  readonly inlineKind?: KnownKind;
  /** Whether the facet always has a value, and therefore cannot be unset with `none`. */
  readonly isRequired: boolean;
  readonly implied?: Implied;
  /** The value of the facet on an entity that does not exist yet. */
  readonly blank: Scalar;
  /** Whether a change to the facet can make an entity a valid target for references. */
  readonly makesReferenceable: boolean;
  /** The name of a lock. Mutations with the same lock never run concurrently, because they also change other entities. */
  readonly lock?: string;
  /** The privilege that a token needs for the mutations. By default, this is the privilege to edit the entity. */
  readonly privilege?: Privilege;
  /** Whether the facet is read only if a manifest declares it. This saves the server a separate lookup for each entity. */
  readonly readWhenDeclared: boolean;
  /** The field in DataHub's search index that is used to find the entities with a value. */
  readonly searchField?: string;
  /**
   * Whether GraphQL does not return the facet for a kind. If so, its stored aspects are read if a manifest declares it, or if it
   * determines whether the entity is a valid target for references.
   */
  isOnlyStored?(kind: string): boolean;
  /** Returns the names of the raw aspects to read through GraphQL. */
  aspects(kind: string): readonly string[];
  /** Returns the aspects to read through typed fields of GraphQL. */
  answered(kind: string): readonly AnsweredAspect[];
  /**
   * Returns the aspect that stores the facet and shows who wrote it. Defined only if it is a single aspect of the entity itself.
   */
  readonly storedIn?: (kind: string) => string | undefined;
  /**
   * The wording for review summaries. Defined for facets whose changes are best described as changes to the referenced entities.
   */
  readonly wording?: Wording;
  /** Returns the feature that a server needs to support a value; `undefined` if all servers support the value. */
  needs?(kind: string, value: Member | Scalar): Feature | undefined;
  /** How `list` and `coverage` show the facet; absent if they do not show it. */
  readonly listing?: Listing;
  /** Whether an entity must not refer to itself in this facet. */
  readonly refusesItself?: true;
  /** Whether references in this facet must not form a cycle. */
  readonly refusesCycles?: true;
  /** Whether the facet assigns an asset to a group, such as a domain. Reviews are grouped by such facets. */
  readonly isPlacement?: true;
  /** Whether the values are the owners of the entity. */
  readonly isOwnership?: true;
  /** Returns the ownership type of an owner, both as its name in manifests and as its URN. */
  ownershipTypeOf?(value: Member | Scalar): readonly string[];
  /**
   * The flag that policy expressions use instead of the value, such as `deprecated`. Defined only if the value is not a string.
   */
  readonly flag?: string;
  /**
   * Whether the value is prose. Prose may contain invisible characters, and comparisons ignore line endings and trailing
   * whitespace.
   */
  readonly isProse?: true;
  /** Converts a value to manifest notation. `parse` reverses this conversion. */
  written(value: Member | Scalar): Json;
  /** Formats a value as text for a plan. `called` returns the display name for a URN. */
  format(value: Member | Scalar, called: (urn: string) => string): string;
  /** Parses a value in a manifest: a scalar, or one element of a set. */
  parse(written: Json): Parsing;
  /** Reads the facet from an entity's stored aspects, keyed by name. */
  observe(aspects: JsonObject, kind: string): Observed;
  /** How to write scalars and sets. A map can have both. */
  readonly scalar?: ScalarWrites;
  readonly set?: SetWrites;
}

/** A facet with a single value. */
export interface ScalarFacet extends FacetContract {
  readonly shape: "scalar";
  readonly scalar: ScalarWrites;
}

/**
 * Edges that two facets can declare, such as the members of a group and the groups of a user. The facet of the group has these
 * properties.
 */
export interface Edges {
  /** The facet of the members, which declares the same edges. */
  readonly inverse: string;
  /**
   * How the members store the edges. If absent, the groups store them, and the facet is read and written like any other facet.
   */
  readonly storedByMembers?: StoredByMembers;
  /**
   * Set if a member can belong to only one group. `unless` is the server's feature flag that removes this restriction: a field of
   * `FeatureFlagsConfig` in GraphQL.
   */
  readonly exclusive?: { readonly unless: string };
}

/** How the members store edges. For example, users store their groups. */
export interface StoredByMembers {
  /** The aspects of a member that list its edges, each with the name of the list field. */
  readonly lists: readonly { readonly aspect: string; readonly list: string }[];
  /** The relationships in DataHub's graph by which the server's index finds the members. */
  readonly relationships: readonly string[];
  /** The GraphQL query field that returns the group with a given URN. */
  readonly query: string;
  /** The aspect of the group that shows whether an identity provider manages the edges. */
  readonly originAspect: string;
}

/** How a server without the feature compares elements: it treats elements with equal keys as the same element. */
export interface Equivalence<Element extends Member = Member> extends Feature {
  keyOf(element: Element): string;
}

/** A facet whose value is a set. */
export interface SetFacet extends FacetContract {
  readonly shape: "set";
  readonly set: SetWrites;
  readonly alike?: Equivalence;
  readonly edges?: Edges;
}

/** A facet that has a scalar or a set for each key. Values under different keys can change independently. */
export interface MapFacet extends FacetContract {
  readonly shape: "map";
  readonly definitions?: Definitions;
  /** The keys that lead to a value, outermost first. In a name such as `columns.tags`, the dot marks where the first key goes. */
  readonly keys: readonly [Keys, ...Keys[]];
  /**
   * The separate entity for a column. The tool reads it for declared columns only, because each read requires a lookup on the
   * server.
   */
  readonly columnEntity?: ColumnEntity;
  /** The separate entity that stores the values of a column, if there is one. The tool reads it for declared columns only. */
  readonly storedInColumns?: StoringColumnEntity;
}

/** A field of an entity that manifests can manage. */
export type Facet = ScalarFacet | SetFacet | MapFacet;
