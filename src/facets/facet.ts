/** The contract of a facet: the data and functions by which the rest of the program reads, compares, writes and shows it. */

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

/** The value of a facet as it was read, with values that cannot be edited. */
export interface Observed {
  readonly value: FacetValue;
  /** For a map: values that cannot be edited, because ingestion wrote them. */
  readonly ingested?: readonly { readonly path: Path; readonly value: Member | Scalar }[];
  /** For a map: values that are stored at keys that no longer exist. */
  readonly dormant?: FacetValue;
  /** All stored values, if DataHub stores several for a scalar. The first one counts. */
  readonly several?: readonly Scalar[];
}

/** The value if no manifest declares one. */
interface Implied {
  readonly for: "every-entity" | "new-entity";
  /** `key` is the key of the entity's URN. */
  value(key: string): Scalar;
}

/** The entity that has a set, and the keys below its facet that lead to it. */
export interface SetPlace {
  readonly urn: Urn;
  readonly path?: Path;
  /** The second path under which values of a column are stored, if there is one. */
  readonly alsoStoredAt?: string;
}

/** The part of a change by which an aspect is edited. */
export type EditedScalar = Pick<ScalarChange, "urn" | "path" | "alsoStoredAt" | "after">;

/** A write of elements of a set. */
interface ElementWrite<Element extends Member = Member> {
  readonly elements: readonly Element[];
  readonly request: Request;
}

/** How a scalar is written. */
export interface ScalarWrites {
  /** The writes that carry out one change, in the order of sending. */
  requests(change: ScalarChange): readonly Request[];
  /** The field of GraphQL, as `Type.field`, that a server needs to remove a value. */
  readonly unsetBy?: string;
  /** For a map: whether its mutations rewrite other keys. An edit of these at the same moment can be lost. */
  readonly rewritesOtherKeys?: true;
  /** The alternative to mutations, if there is one. */
  readonly editing?: Editing & {
    /** Whether the mutation would store another value. Such a change is always an edit. */
    isNeededFor?(change: ScalarChange): boolean;
    edits(change: EditedScalar): readonly Edit[];
  };
}

/** How a set is written. Each list of elements belongs to one change and is not empty. */
export interface SetWrites<Element extends Member = Member> {
  /** The writes that add elements, in the order of sending. A set without `add` is always edited. */
  add?(place: SetPlace, elements: readonly Element[]): readonly ElementWrite<Element>[];
  /** The writes that remove elements. They are sent after the additions. */
  remove?(place: SetPlace, elements: readonly Element[]): readonly ElementWrite<Element>[];
  /** The alternative to mutations, if there is one. */
  readonly editing?: Editing & {
    edits(place: SetPlace, add: readonly Element[], remove: readonly Element[]): readonly ListEdit[];
  };
}

/** Writes a value by editing the aspect that stores it, on condition that the version of the aspect is unchanged. */
interface Editing {
  /** The aspect, for a kind; `undefined` if entities of that kind are not written by edits. */
  aspect(kind: string): string | undefined;
  /** The entity that has the aspect, if it is another one. */
  urnOf?(place: SetPlace): Urn;
  /** Whether the facet's own privilege is enough on newer servers, without the privilege to edit entities. */
  readonly isWithOwnPrivilege?: true;
}

/** An ability that only newer servers have. */
export interface Feature {
  /** The field of GraphQL, as `Type.field`, that only these servers have. */
  readonly field: string;
  /** The first release of DataHub that has it. For messages only. */
  readonly release: string;
  /** The subject of a sentence about it. */
  readonly what: string;
}

/** The words of a sentence about the entity that a value names: "domain Growth gets 3 datasets". */
interface Wording {
  /** The verbs after its name: for a value that is added, and for one that is removed. */
  readonly gains: string;
  readonly loses: string;
  /** The noun before its name, if the verb does not imply it. */
  readonly noun?: string;
  /** The URN of the entity, if it is not the value itself. */
  subjectOf?(value: Member | Scalar): string;
}

/** An option of `list` that finds entities by the values of a facet. */
export interface ListOption {
  /** Its name without the dashes. */
  readonly name: string;
  /** Its argument on the command line, and its help text. */
  readonly argument: string;
  readonly description: string;
  /** The types of the entities that it accepts, as URNs spell them. */
  readonly entityTypes: readonly string[];
  /** Whether `=` and a value can follow the name. */
  readonly takesValue?: true;
  /** Whether `coverage` groups assets by it. */
  readonly isGrouping?: true;
  /** Whether `me` means the user of the token. */
  readonly takesMe?: true;
  /** The texts by which it finds a value. `path` has the keys in a map. The first text is the key of its group. */
  readonly textsOf: (value: Member | Scalar, path: Path) => readonly string[];
}

/** How `list` shows a facet, and finds entities by it. */
export interface Listing {
  /** Options given together find an entity if one value fits all of them. */
  readonly options: readonly ListOption[];
  /** Whether `list` shows its values. */
  readonly isColumn?: true;
  /** Whether `coverage` counts the assets that have a value. */
  readonly isCounted?: true;
  /** The facet with the same values for columns, if there is one. */
  readonly columnFacet?: string;
  /** The text of a value in a table cell. The default is the value itself. */
  readonly cellOf?: (value: Member | Scalar) => string;
}

/** All that the reconciler knows about a facet. Only `src/facets` and `src/kinds` know a facet by name. */
export interface FacetContract {
  /** Its name in settings, plans and messages; its key in a manifest. `columns.x` is `x` of each column. */
  readonly name: string;
  /** The kinds of entity that have it. */
  readonly kinds: readonly KnownKind[];
  /** JSON Schema of the value in a manifest; for a map, of one entry. A facet without a schema cannot be declared. */
  readonly schema?: JsonObject;
  /** The JSON Schema of the value, by kind, for kinds whose manifests may write it in another form. */
  readonly schemaFor?: Readonly<Partial<Record<string, JsonObject>>>;
  /** Entity types, in the spelling of URNs, of the entities that its values name. */
  readonly refersTo: readonly string[];
  /** Whether a URN of one of these types names an entity. The default is yes. */
  readonly isReference?: (urn: string) => boolean;
  /** The fields of its values that name entities of any type. Other fields name none. */
  readonly referringFields?: readonly string[];
  /** The relationship that its values create in DataHub's graph, if any (`@Relationship` in its models). */
  readonly relationship?: string;
  /** The kind that an element declares when it is written as a mapping with fields of its own. */
  readonly inlineKind?: KnownKind;
  /** Whether it always has a value: `none` does not unset it. */
  readonly isRequired: boolean;
  readonly implied?: Implied;
  /** The value of an entity that does not exist yet. */
  readonly blank: Scalar;
  /** Whether a change of it makes an entity a valid reference. */
  readonly makesReferenceable: boolean;
  /** The name of a lock. Mutations with one lock never run at the same time, because the server rewrites other entities, too. */
  readonly lock?: string;
  /** The privilege that a token needs for its mutations. The default is the privilege to edit the entity. */
  readonly privilege?: Privilege;
  /** Whether it is read only if it is declared, because reading costs the server a lookup for each entity. */
  readonly readWhenDeclared: boolean;
  /** The field of DataHub's index that finds the entities with a value of it. */
  readonly searchField?: string;
  /**
   * Whether GraphQL does not show it for a kind. Then its stored aspects are read if it is declared, or if it decides whether the
   * entity is a valid reference.
   */
  isOnlyStored?(kind: string): boolean;
  /** The aspects that it is read from and that GraphQL answers raw. */
  aspects(kind: string): readonly string[];
  /** The aspects that it is read from and that GraphQL answers in typed fields. */
  answered(kind: string): readonly AnsweredAspect[];
  /** The aspect that stores it, which shows who wrote it. Only if that is one aspect of the entity itself. */
  readonly storedIn?: (kind: string) => string | undefined;
  /** Only for facets whose reviewers think of the entities that the values name. */
  readonly wording?: Wording;
  /** The feature that a value needs on the server; `undefined` if every server has it. */
  needs?(kind: string, value: Member | Scalar): Feature | undefined;
  /** Only if `list` and `coverage` show entities by it. */
  readonly listing?: Listing;
  /** Whether an entity cannot be a value of its own. */
  readonly refusesItself?: true;
  /** Whether entities cannot be values of each other in a cycle. */
  readonly refusesCycles?: true;
  /** Whether it places an asset, as a domain does. Reviews are grouped by such facets. */
  readonly isPlacement?: true;
  /** Whether its values are the owners of an entity. */
  readonly isOwnership?: true;
  /** The names of an owner's ownership type: as a manifest writes it, and its URN. */
  ownershipTypeOf?(value: Member | Scalar): readonly string[];
  /**
   * The name of the flag that expressions of policies see instead of the value, such as `deprecated`. Only if the value is not a
   * text.
   */
  readonly flag?: string;
  /** Whether it is prose: invisible characters are allowed, and line ends and trailing blanks do not count. */
  readonly isProse?: true;
  /** A value as a manifest writes it. `parse` reverses it. */
  written(value: Member | Scalar): Json;
  /** A value as text for a plan. `called` returns the display text of a URN. */
  format(value: Member | Scalar, called: (urn: string) => string): string;
  /** Parses a written value: a scalar, or one element of a set. */
  parse(written: Json): Parsing;
  /** Reads it from the stored aspects of an entity, which are by name. */
  observe(aspects: JsonObject, kind: string): Observed;
  /** The writes of its scalars and of its sets. A map can have both. */
  readonly scalar?: ScalarWrites;
  readonly set?: SetWrites;
}

/** A facet of one value. */
export interface ScalarFacet extends FacetContract {
  readonly shape: "scalar";
  readonly scalar: ScalarWrites;
}

/** A set that two facets declare, one from each end: a group's members, a user's groups. The facet of the group has this. */
export interface Edges {
  /** The facet of the members, which declares the same edges. */
  readonly inverse: string;
  /** How the members store the edges. Without it the groups store them, and the facet is read and written like any other. */
  readonly storedByMembers?: StoredByMembers;
  /**
   * Whether a member is in at most one group: if the server's feature flag (GraphQL's `FeatureFlagsConfig`) is off, or if it has no
   * flag of that name.
   */
  readonly exclusive?: { readonly unless: string };
}

/** How members store edges, as users store their groups. */
export interface StoredByMembers {
  /** The aspects of a member that list its edges, with the field of the list. */
  readonly lists: readonly { readonly aspect: string; readonly list: string }[];
  /** The relationships of DataHub's graph by which its index finds the members. */
  readonly relationships: readonly string[];
  /** The query field that returns a group by its URN. */
  readonly query: string;
  /** The aspect of a group that says whether an identity provider manages its edges. */
  readonly originAspect: string;
}

/** How a server without a feature compares elements: elements with equal keys count as one. */
export interface Equivalence<Element extends Member = Member> extends Feature {
  keyOf(element: Element): string;
}

/** A facet of a set. */
export interface SetFacet extends FacetContract {
  readonly shape: "set";
  readonly set: SetWrites;
  readonly alike?: Equivalence;
  readonly edges?: Edges;
}

/** The keys of one level of a map. */
export interface Keys {
  /** The description of a mapping by these keys, for the schema of manifests. */
  readonly description: string;
  /** A key in examples. */
  readonly example: string;
  /** The short name that a manifest may use for a key; the key itself if it has none. Several keys can share one. */
  plainNameOf(key: string): string;
  /** The type of the entities whose URNs are the keys, as URNs spell it. A manifest may write their ids. */
  readonly entityType?: string;
  /** Finds a written key among the keys of an entity. Only for keys that exist without a value, such as columns. */
  readonly among?: (keys: readonly string[]) => KeyFinder;
}

/** Finds the key that a manifest means: the first candidate, or a fault. */
export type KeyFinder = (written: string) => {
  readonly fault?: "none" | "unknown" | "ambiguous";
  readonly candidates: readonly string[];
  readonly suggestion?: string | undefined;
};

/** A separate entity that the server keeps for a column. Its values cannot be edited. */
export interface ColumnEntity {
  /** The GraphQL field with the values, as `Type.field`. Only newer servers have it. */
  readonly field: string;
  /** The aspect of the entity that has the values. */
  readonly answered: AnsweredAspect;
  urnOf(urn: Urn, column: string): Urn;
  observe(aspects: JsonObject): readonly Member[];
}

/** A separate entity that the server keeps for a column. It stores the values of a facet by its further keys. */
export interface StoringColumnEntity {
  /** The GraphQL type. */
  readonly typename: string;
  /** The aspect of the entity that has the values. */
  readonly answered: AnsweredAspect;
  urnOf(urn: Urn, column: string): Urn;
  observe(aspects: JsonObject): FacetValue;
}

/** How the definitions that the last key of a map names restrict its values. */
export interface Definitions {
  readonly kind: KnownKind;
  /** The facets of a definition by which the server checks values. Values are written after a change of one. */
  readonly decidedBy: readonly string[];
  /** Whether a property has one value or a set. */
  shapeBy(facets: DefinitionFacets): Leaf["shape"];
  /** The expected value, as a message ends, if a value does not fit. `facets` are the known facets of the definition. */
  expected(leaf: Leaf, facets: DefinitionFacets): string | undefined;
  /** The entity types that can have values, if the kind is not among them. */
  typesInstead(kind: string, facets: DefinitionFacets): readonly string[] | undefined;
  /** A value that one facet of a definition allows and another one forbids: no entity can have it. */
  contradiction(facets: DefinitionFacets): Contradiction | undefined;
}

/** A value in a facet of a definition, and the expected one, as a message ends. */
interface Contradiction {
  readonly facet: string;
  readonly found: string;
  readonly expected: string;
}

export type DefinitionFacets = ReadonlyMap<string, FacetValue>;

/** A facet with a scalar or a set for each key. Each key is changed separately. */
export interface MapFacet extends FacetContract {
  readonly shape: "map";
  readonly definitions?: Definitions;
  /** The keys that lead to a value, outermost first. The first key goes at the first dot of the name, if there is one. */
  readonly keys: readonly [Keys, ...Keys[]];
  /** Read only for declared columns: it costs the server a lookup for each. */
  readonly columnEntity?: ColumnEntity;
  /** The entity that stores the values, if columns have one. It, too, is read only for declared columns. */
  readonly storedInColumns?: StoringColumnEntity;
}

/** One managed field of an entity. */
export type Facet = ScalarFacet | SetFacet | MapFacet;
