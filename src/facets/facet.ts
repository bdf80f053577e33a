/** Defines the contract for facets: the data and functions that the program needs to read, compare, write and show them. */

import type { KnownKind } from "../kinds/index.ts";
import type { Privilege } from "../kinds/kind.ts";
import type { ScalarChange } from "../model/change.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Edit, ListEdit, Request } from "../model/operation.ts";
import type { Path } from "../model/place.ts";
import type { FacetValue, Leaf, Member, Scalar } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import type { AnsweredAspect } from "./answered-aspects.ts";
import type { Parsing } from "./parsing.ts";

/** A facet's value as read from the catalog, including values that cannot be edited. */
export interface Observed {
  readonly value: FacetValue;
  /** For a map: values from ingestion, which cannot be edited. */
  readonly ingested?: readonly { readonly path: Path; readonly value: Member | Scalar }[];
  /** For a map: values stored at keys that no longer exist. */
  readonly dormant?: FacetValue;
  /** All stored values, if DataHub stores several for a scalar. The first one counts. */
  readonly several?: readonly Scalar[];
}

/** The value that a facet has if no manifest declares one. */
interface Implied {
  readonly for: "every-entity" | "new-entity";
  /** Returns the value. `key` is the key in the entity's URN. */
  value(key: string): Scalar;
}

/** The location of a set: its entity, and the keys below the facet. */
export interface SetPlace {
  readonly urn: Urn;
  readonly path?: Path;
  /** The second path under which a column's values are stored, if there is one. */
  readonly alsoStoredAt?: string;
}

/** The properties of a change that are needed to edit an aspect. */
export type EditedScalar = Pick<ScalarChange, "urn" | "path" | "alsoStoredAt" | "after">;

/** A write that adds or removes elements of a set. */
interface ElementWrite<Element extends Member = Member> {
  readonly elements: readonly Element[];
  readonly request: Request;
}

/** How to write a scalar. */
export interface ScalarWrites {
  /** Returns the writes for one change, in sending order. */
  requests(change: ScalarChange): readonly Request[];
  /** The GraphQL field, as `Type.field`, that a server needs to remove a value. */
  readonly unsetBy?: string;
  /** For a map: whether its mutations rewrite other keys. A simultaneous edit of these keys can be lost. */
  readonly rewritesOtherKeys?: true;
  /** The alternative to mutations, if there is one. */
  readonly editing?: Editing & {
    /** Whether the mutation would store a different value. Such a change is always written as an edit. */
    isNeededFor?(change: ScalarChange): boolean;
    edits(change: EditedScalar): readonly Edit[];
  };
}

/** How to write a set. Each list of elements belongs to one change and is not empty. */
export interface SetWrites<Element extends Member = Member> {
  /** Returns the writes that add elements, in sending order. Sets without `add` are always edited. */
  add?(place: SetPlace, elements: readonly Element[]): readonly ElementWrite<Element>[];
  /** Returns the writes that remove elements. They are sent after the additions. */
  remove?(place: SetPlace, elements: readonly Element[]): readonly ElementWrite<Element>[];
  /** The alternative to mutations, if there is one. */
  readonly editing?: Editing & {
    edits(place: SetPlace, add: readonly Element[], remove: readonly Element[]): readonly ListEdit[];
  };
}

/** Writes a value by editing the aspect that stores it, provided that the aspect's version is unchanged. */
interface Editing {
  /** Returns the aspect for a kind; `undefined` if entities of that kind are not written by edits. */
  aspect(kind: string): string | undefined;
  /** Returns the entity that has the aspect, if it is a different one. */
  urnOf?(place: SetPlace): Urn;
  /** Whether newer servers require only the facet's own privilege, and not the privilege to edit entities. */
  readonly isWithOwnPrivilege?: true;
}

/** A server ability that only newer releases have. */
export interface Feature {
  /** The GraphQL field, as `Type.field`, that only servers with the ability have. */
  readonly field: string;
  /** The first DataHub release with the ability. Only messages use it. */
  readonly release: string;
  /** The subject of the sentence about the ability. */
  readonly what: string;
}

/** The words for a sentence about the entity that a value names: "domain Growth gets 3 datasets". */
interface Wording {
  /** The verbs after the entity's name: one for an added value, one for a removed value. */
  readonly gains: string;
  readonly loses: string;
  /** The noun before the entity's name, if the verb does not imply it. */
  readonly noun?: string;
  /** Returns the entity's URN, if it is not the value itself. */
  subjectOf?(value: Member | Scalar): string;
}

/** A `list` option that finds entities by a facet's values. */
export interface ListOption {
  /** The option's name without the dashes. */
  readonly name: string;
  /** The option's argument on the command line, and its help text. */
  readonly argument: string;
  readonly description: string;
  /** The entity types that the option accepts, as URNs spell them. */
  readonly entityTypes: readonly string[];
  /** Whether `=` and a value can follow the name. */
  readonly takesValue?: true;
  /** Whether `coverage` groups assets by the option. */
  readonly isGrouping?: true;
  /** Whether `me` means the token's user. */
  readonly takesMe?: true;
  /** Returns the texts by which the option finds a value; the first one is the key of its group. `path` has the keys in a map. */
  readonly textsOf: (value: Member | Scalar, path: Path) => readonly string[];
}

/** How `list` shows a facet, and how it finds entities by the facet. */
export interface Listing {
  /** The options. If several are given, they find an entity only if one value fits all of them. */
  readonly options: readonly ListOption[];
  /** Whether `list` shows the values in a column of its table. */
  readonly isColumn?: true;
  /** Whether `coverage` counts the assets with a value. */
  readonly isCounted?: true;
  /** The facet for the same values on columns, if there is one. */
  readonly columnFacet?: string;
  /** Returns a value's text for a table cell. By default, this is the value itself. */
  readonly cellOf?: (value: Member | Scalar) => string;
}

/** Everything that the reconciler knows about a facet. Only `src/facets` and `src/kinds` know facets by name. */
export interface FacetContract {
  /** The facet's name in settings, plans and messages, and its key in a manifest. `columns.x` is `x` for each column. */
  readonly name: string;
  /** The entity kinds that have the facet. */
  readonly kinds: readonly KnownKind[];
  /** JSON Schema for the value in a manifest, or for one entry of a map. Without a schema, the facet cannot be declared. */
  readonly schema?: JsonObject;
  /** JSON Schema for the value, by kind, where a manifest may write the value differently. */
  readonly schemaFor?: Readonly<Partial<Record<string, JsonObject>>>;
  /** The entity types, as URNs spell them, that its values refer to. */
  readonly refersTo: readonly string[];
  /** Whether a URN with one of these types refers to an entity. By default, it does. */
  readonly isReference?: (urn: string) => boolean;
  /** The fields of its values that name entities of any type. No other fields name entities. */
  readonly referringFields?: readonly string[];
  /** The relationship that its values create in DataHub's graph, if any (`@Relationship` in DataHub's models). */
  readonly relationship?: string;
  /** The kind of entity that an element declares if it is a mapping with its own fields. */
  readonly inlineKind?: KnownKind;
  /** Whether the facet always has a value, so that `none` cannot unset it. */
  readonly isRequired: boolean;
  readonly implied?: Implied;
  /** The facet's value on an entity that does not exist yet. */
  readonly blank: Scalar;
  /** Whether a change to the facet makes an entity a valid reference. */
  readonly makesReferenceable: boolean;
  /** A lock's name. Mutations with the same lock never run at the same time, because the server also rewrites other entities. */
  readonly lock?: string;
  /** The privilege that a token needs for the mutations. By default, this is the privilege to edit the entity. */
  readonly privilege?: Privilege;
  /** Whether the facet is read only if a manifest declares it, because the server needs a lookup for each entity. */
  readonly readWhenDeclared: boolean;
  /** The field in DataHub's index that finds the entities with a value. */
  readonly searchField?: string;
  /**
   * Whether GraphQL does not return the facet for a kind. If so, its stored aspects are read if a manifest declares it, or if it
   * decides whether the entity is a valid reference.
   */
  isOnlyStored?(kind: string): boolean;
  /** Returns the aspects that the facet needs and that GraphQL returns raw. */
  aspects(kind: string): readonly string[];
  /** Returns the aspects that the facet needs and that GraphQL returns in typed fields. */
  answered(kind: string): readonly AnsweredAspect[];
  /** Returns the aspect that stores the facet and shows who wrote it. Only if this is a single aspect of the entity itself. */
  readonly storedIn?: (kind: string) => string | undefined;
  /** The wording, for facets that reviewers read as a statement about the entities in the values. */
  readonly wording?: Wording;
  /** Returns the feature that a value needs on the server; `undefined` if every server has it. */
  needs?(kind: string, value: Member | Scalar): Feature | undefined;
  /** How `list` and `coverage` show the facet, if they do. */
  readonly listing?: Listing;
  /** Whether an entity cannot be a value of its own facet. */
  readonly refusesItself?: true;
  /** Whether entities must not refer to each other in a cycle. */
  readonly refusesCycles?: true;
  /** Whether the facet assigns an asset to a group, like a domain. Reviews are grouped by such facets. */
  readonly isPlacement?: true;
  /** Whether its values are the owners of an entity. */
  readonly isOwnership?: true;
  /** Returns the names of an owner's ownership type: the name in manifests, and the URN. */
  ownershipTypeOf?(value: Member | Scalar): readonly string[];
  /** The flag that policy expressions use instead of the value, such as `deprecated`. Only if the value is not a text. */
  readonly flag?: string;
  /** Whether the value is prose: it may contain invisible characters, and line ends and trailing blanks are ignored. */
  readonly isProse?: true;
  /** Converts a value to the notation in a manifest. `parse` reverses it. */
  written(value: Member | Scalar): Json;
  /** Formats a value as text for a plan. `called` returns a URN's display name. */
  format(value: Member | Scalar, called: (urn: string) => string): string;
  /** Parses a written value: a scalar, or one element in a set. */
  parse(written: Json): Parsing;
  /** Reads the facet from an entity's stored aspects, which are given by name. */
  observe(aspects: JsonObject, kind: string): Observed;
  /** The writes for its scalars and its sets. A map can have both. */
  readonly scalar?: ScalarWrites;
  readonly set?: SetWrites;
}

/** A facet with a single value. */
export interface ScalarFacet extends FacetContract {
  readonly shape: "scalar";
  readonly scalar: ScalarWrites;
}

/** Edges that two facets declare, such as a group's members and a user's groups. The group's facet has these properties. */
export interface Edges {
  /** The members' facet, which declares the same edges. */
  readonly inverse: string;
  /** How the members store the edges. Without it, the groups store them, and the facet is read and written like any other. */
  readonly storedByMembers?: StoredByMembers;
  /**
   * Whether a member can be in only one group. This is the case if the server's feature flag (GraphQL's `FeatureFlagsConfig`) is
   * off or does not exist.
   */
  readonly exclusive?: { readonly unless: string };
}

/** How members store edges, as users store their groups. */
export interface StoredByMembers {
  /** The member's aspects that list its edges, each with the name of its list field. */
  readonly lists: readonly { readonly aspect: string; readonly list: string }[];
  /** The relationships in DataHub's graph by which its index finds the members. */
  readonly relationships: readonly string[];
  /** The query field that returns a group by URN. */
  readonly query: string;
  /** The group's aspect that shows whether an identity provider manages the edges. */
  readonly originAspect: string;
}

/** How a server without a feature compares elements: if their keys are equal, it treats them as one element. */
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

/** The keys at one level of a map. */
export interface Keys {
  /** The description of a mapping with these keys, for the manifest schema. */
  readonly description: string;
  /** An example of a key. */
  readonly example: string;
  /** Returns the short name that a manifest may use for a key, otherwise the key itself. Several keys can share a short name. */
  plainNameOf(key: string): string;
  /** The entity type if the keys are URNs, as URNs spell it. A manifest may write ids instead. */
  readonly entityType?: string;
  /** Finds a written key among an entity's keys. Only for keys that exist without a value, such as columns. */
  readonly among?: (keys: readonly string[]) => KeyFinder;
}

/** Finds the key that a manifest means. Returns the first candidate, or a fault. */
export type KeyFinder = (written: string) => {
  readonly fault?: "none" | "unknown" | "ambiguous";
  readonly candidates: readonly string[];
  readonly suggestion?: string | undefined;
};

/** A separate entity that the server stores for a column. Its values cannot be edited. */
export interface ColumnEntity {
  /** The GraphQL field with the values, as `Type.field`. Only newer servers have it. */
  readonly field: string;
  /** The entity's aspect with the values. */
  readonly answered: AnsweredAspect;
  urnOf(urn: Urn, column: string): Urn;
  observe(aspects: JsonObject): readonly Member[];
}

/** A separate entity that the server stores for a column, and that stores a facet's values by their other keys. */
export interface StoringColumnEntity {
  /** The GraphQL type. */
  readonly typename: string;
  /** The entity's aspect with the values. */
  readonly answered: AnsweredAspect;
  urnOf(urn: Urn, column: string): Urn;
  observe(aspects: JsonObject): FacetValue;
}

/** How the definitions that a map's last key names restrict the map's values. */
export interface Definitions {
  readonly kind: KnownKind;
  /** The definition's facets that the server checks values against. Values are written after a change to one of them. */
  readonly decidedBy: readonly string[];
  /** Returns whether a property has one value or a set. */
  shapeBy(facets: DefinitionFacets): Leaf["shape"];
  /** Returns the expected value, as a message's ending, if a value does not fit. `facets` are the definition's known facets. */
  expected(leaf: Leaf, facets: DefinitionFacets): string | undefined;
  /** Returns the entity types that can have values, if the kind is not one of them. */
  typesInstead(kind: string, facets: DefinitionFacets): readonly string[] | undefined;
  /** Finds a value that one facet of a definition allows but another forbids, so that no entity can have it. */
  contradiction(facets: DefinitionFacets): Contradiction | undefined;
}

/** A contradictory value in a facet of a definition, and the expected value as the ending of a message. */
interface Contradiction {
  readonly facet: string;
  readonly found: string;
  readonly expected: string;
}

export type DefinitionFacets = ReadonlyMap<string, FacetValue>;

/** A facet with a scalar or a set for each key. Each key can change separately. */
export interface MapFacet extends FacetContract {
  readonly shape: "map";
  readonly definitions?: Definitions;
  /** The keys that lead to a value, outermost first. The facet's name has the first key at its first dot, if any. */
  readonly keys: readonly [Keys, ...Keys[]];
  /** The column's entity. It is read only for declared columns, because each read costs the server a lookup. */
  readonly columnEntity?: ColumnEntity;
  /** The entity that stores the values, if columns have one. It is also read only for declared columns. */
  readonly storedInColumns?: StoringColumnEntity;
}

/** A field of an entity that manifests can manage. */
export type Facet = ScalarFacet | SetFacet | MapFacet;
