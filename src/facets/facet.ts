import type { KnownKind } from "../kinds/index.ts";
import type { Privilege } from "../kinds/kind.ts";
import type { ScalarChange } from "../model/change.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Edit, ListEdit, Request } from "../model/operation.ts";
import type { Path } from "../model/place.ts";
import type { FacetValue, Leaf, Member, Scalar } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import type { Parsing } from "./parsing.ts";

/** The value of a facet as it was read, and beside it what cannot be edited. */
export interface Observed {
  readonly value: FacetValue;
  /** Of a map, values that cannot be edited, because ingestion wrote them. */
  readonly ingested?: readonly { readonly path: Path; readonly value: Member | Scalar }[];
  /** Of a map, what is stored at keys that are no longer there. */
  readonly dormant?: FacetValue;
  /** All values that are stored where there is room for one only: the first is the value that counts. */
  readonly several?: readonly Scalar[];
}

/** The aspect that keeps a facet's value, for asking who wrote it. */
interface StoredIn {
  /** The aspect of entities of a kind. */
  aspect(kind: string): string | undefined;
  /** DataHub's MetadataAttribution of one value in that aspect, where each value has one. */
  attribution?(aspect: JsonObject, value: Member | Scalar, path: Path | undefined): Json | undefined;
}

/** What a selection answers, made of aspects as they are stored. */
export interface FromStored {
  /** The aspects of entities of a kind. */
  aspects(kind: string): readonly string[];
  /** What the selection would answer, of the aspects by name. */
  answer(aspects: JsonObject, kind: string): JsonObject;
}

/** The value where no manifest declares one. */
interface Implied {
  readonly for: "every-entity" | "new-entity";
  /** The value for the key of the entity's URN. */
  value(key: string): Scalar;
}

/** The entity that has a set, and the keys below its facet that lead to it. */
export interface SetPlace {
  readonly urn: Urn;
  readonly path?: Path;
  /** The second path under which values of a column are stored, if there is one. */
  readonly alsoStoredAt?: string;
}

/** A write of some elements of a set. */
interface ElementWrite<Element extends Member = Member> {
  readonly elements: readonly Element[];
  readonly request: Request;
}

/** How a scalar is written. */
export interface ScalarWrites {
  /** The writes that carry out one change, in the order in which they are sent. */
  requests(change: ScalarChange): readonly Request[];
  /** The field of GraphQL, as `Type.field`, without which a server cannot take a value away. */
  readonly unsetBy?: string;
  /** Of a map, whether its mutations rewrite what is at other keys: an edit of that at the same moment can be lost. */
  readonly rewritesOtherKeys?: true;
  /** The other way to write it, where there is one. */
  readonly editing?: Editing & {
    /** The value in the aspect, as `observe` returns it; by default `observe` is called with the aspect alone. */
    value?(aspect: JsonObject, path: Path | undefined, alsoStoredAt?: string): Scalar;
    /** Whether the mutation would store another value, so that this one is always written by an edit. */
    isNeededFor?(change: ScalarChange): boolean;
    edits(change: ScalarChange): readonly Edit[];
  };
}

/** How a set is written. Each list of elements is one of a change, and not empty. */
export interface SetWrites<Element extends Member = Member> {
  /** The writes that add elements, in the order in which they are sent; without them it is always edited. */
  add?(place: SetPlace, elements: readonly Element[]): readonly ElementWrite<Element>[];
  /** The writes that take elements away. They are sent after those that add some. */
  remove?(place: SetPlace, elements: readonly Element[]): readonly ElementWrite<Element>[];
  /** The other way to write it, where there is one. */
  readonly editing?: Editing & {
    /** The elements in the aspect, as `observe` returns them. */
    elements(aspect: JsonObject, path: Path | undefined, alsoStoredAt?: string): readonly Element[];
    edits(place: SetPlace, add: readonly Element[], remove: readonly Element[]): readonly ListEdit[];
  };
}

/** How a value is written by editing the aspect that stores it, on the condition that its version is unchanged. */
interface Editing {
  /** The aspect of entities of a kind; `undefined` for one of which it is not written so. */
  aspect(kind: string): string | undefined;
  /** The entity that has the aspect, where it is another one. */
  urnOf?(place: SetPlace): Urn;
  /** Whether newer servers let a token do it that has the facet's own privilege, and not the one to edit entities. */
  readonly isWithOwnPrivilege?: true;
}

/** What only newer servers have. */
export interface Feature {
  /** The field of GraphQL, as `Type.field`, that these servers have and older ones have not. */
  readonly field: string;
  /** The first release of DataHub that has it, for people. */
  readonly release: string;
  /** What it is, as the subject of a sentence. */
  readonly what: string;
}

/** The words of a sentence about the entity that a value names: "domain Growth gets 3 datasets". */
interface Wording {
  /** What follows its name where it becomes a value, and where it no longer is one. */
  readonly gains: string;
  readonly loses: string;
  /** The noun before its name, where the verb does not imply it. */
  readonly noun?: string;
  /** The URN of the entity, where it is not the value itself. */
  subjectOf?(value: Member | Scalar): string;
}

/** An option of `list` that finds entities by the values of a facet. */
export interface ListOption {
  /** Its name without the dashes. */
  readonly name: string;
  /** What follows it on the command line, and what its help says. */
  readonly argument: string;
  readonly description: string;
  /** The types of the entities that it can name, as URNs spell them. */
  readonly entityTypes: readonly string[];
  /** Whether `=` and a value can follow the name. */
  readonly takesValue?: true;
  /** Whether `coverage` groups assets by it. */
  readonly isGrouping?: true;
  /** Whether `me` stands for the user of the token. */
  readonly takesMe?: true;
  /** The texts by which it finds a value, which in a map is at the keys of `path`; the first one is the key of its group. */
  readonly textsOf: (value: Member | Scalar, path: Path) => readonly string[];
}

/** How `list` shows a facet, and finds entities by it. */
export interface Listing {
  /** Options that are given together find an entity by one value that fits all of them. */
  readonly options: readonly ListOption[];
  /** Whether `list` shows its values. */
  readonly isColumn?: true;
  /** Whether `coverage` counts the assets that have a value of it. */
  readonly isCounted?: true;
  /** The facet that has the same of columns, where there is one. */
  readonly columnFacet?: string;
  /** A value in a cell of a table, where that is not the value itself. */
  readonly cellOf?: (value: Member | Scalar) => string;
}

/** All that the reconciler needs of a facet, as data. Nothing outside `src/facets` and `src/kinds` knows a facet by name. */
export interface FacetContract {
  /** Its name in settings, plans and messages; its key in a manifest. `columns.x` is `x` of each column. */
  readonly name: string;
  /** The kinds of entity that have it. */
  readonly kinds: readonly KnownKind[];
  /** JSON Schema of the value in a manifest; for a map, of one entry. Without one it cannot be declared. */
  readonly schema?: JsonObject;
  /** JSON Schema for kinds whose manifests may write it in another way. */
  readonly schemaFor?: Readonly<Partial<Record<string, JsonObject>>>;
  /** Entity types, in the spelling of URNs, of the entities that its values name. */
  readonly refersTo: readonly string[];
  /** Whether a URN of one of these types names an entity at all; by default each does. */
  readonly isReference?: (urn: string) => boolean;
  /** The fields of its values that name entities, of any type; the texts of the others name nothing. */
  readonly referringFields?: readonly string[];
  /** The relationship of DataHub's graph that its values make (`@Relationship` in its models), where they make one. */
  readonly relationship?: string;
  /** The kind that an element declares when it is written as a mapping with fields of its own. */
  readonly inlineKind?: KnownKind;
  /** Whether it always has a value: `none` does not unset it. */
  readonly isRequired: boolean;
  readonly implied?: Implied;
  /** The value of an entity that does not exist yet. */
  readonly blank: Scalar;
  /** Whether its change makes an entity one that others can refer to. */
  readonly makesReferenceable: boolean;
  /** What its mutations rewrite on the server beside the entities that they name: never two of them in flight. */
  readonly lock?: string;
  /** What a token needs for its mutations; without one, what it needs to edit the entity. */
  readonly privilege?: Privilege;
  /** Whether it is read only where it is declared, because reading it costs the server a look-up for each entity. */
  readonly readWhenDeclared: boolean;
  /** The field of DataHub's index that finds the entities with a value of it. */
  readonly searchField?: string;
  /**
   * Whether GraphQL does not show it of entities of a kind: where it is declared, or says whether the entity is there to be referred
   * to, its aspects are read as they are stored.
   */
  isOnlyStored?(kind: string): boolean;
  /** The raw aspects of a kind that it is read from, beside what is selected. */
  aspects(kind: string): readonly string[];
  /** Only where one aspect of the entity itself stores it. */
  readonly storedIn?: StoredIn;
  /** Only where its values name what a reviewer thinks of first. */
  readonly wording?: Wording;
  /** What a server must have for entities of a kind to have a value; nothing where every server has it. */
  needs?(kind: string, value: Member | Scalar): Feature | undefined;
  /** Only where `list` and `coverage` show entities by it. */
  readonly listing?: Listing;
  /** Whether an entity cannot be a value of its own. */
  readonly refusesItself?: true;
  /** Whether entities cannot be values of each other in a cycle. */
  readonly refusesCycles?: true;
  /** Whether it places an asset, as a domain does: reviews are grouped by it. */
  readonly isPlacement?: true;
  /** Whether its values are the owners of an entity. */
  readonly isOwnership?: true;
  /** The texts by which the ownership type of an owner can be named: as a manifest writes it, and its URN. */
  ownershipTypeOf?(value: Member | Scalar): readonly string[];
  /**
   * What expressions of policies call that it has a value, which they see in place of the value: `deprecated`. Only where the value
   * is no text.
   */
  readonly flag?: string;
  /** Whether it is prose: invisible characters are allowed, and line ends and trailing blanks make no difference. */
  readonly isProse?: true;
  /** What to select of an entity of a kind, as GraphQL text. */
  selection(kind: string): string;
  /** Where something is selected of assets: the same from what is stored. */
  readonly fromStored?: FromStored;
  /** A value as a manifest writes it: what `parse` takes for it. */
  written(value: Member | Scalar): Json;
  /** A value as a person reads it in a plan; `called` is what a URN is called there. */
  format(value: Member | Scalar, called: (urn: string) => string): string;
  /** Takes a written value: a single one, or one element of a set. */
  parse(written: Json): Parsing;
  /** Reads it from the entity as the server answered it; `aspects` there has the raw aspects by name. */
  observe(entity: JsonObject, kind: string): Observed;
  /** How scalars of it are written, and sets: of a map perhaps both. */
  readonly scalar?: ScalarWrites;
  readonly set?: SetWrites;
}

/** A facet of one value. */
export interface ScalarFacet extends FacetContract {
  readonly shape: "scalar";
  readonly scalar: ScalarWrites;
}

/** A set that two facets declare, one from each end: a group's members, a user's groups. Its own facet is that of the group. */
export interface Edges {
  /** The facet of the members, which declares the same edges. */
  readonly inverse: string;
  /** How the members store their edges. Without it the groups do, and the facet itself is read and written as any other. */
  readonly storedByMembers?: StoredByMembers;
  /**
   * Whether a member is in one group at most: where the feature flag of the server (GraphQL's `FeatureFlagsConfig`) is off, or
   * the server has none of that name.
   */
  readonly exclusive?: { readonly unless: string };
}

/** Edges that the members store, as users do their groups. */
export interface StoredByMembers {
  /** Where a member lists its edges: aspect and list. */
  readonly lists: readonly { readonly aspect: string; readonly list: string }[];
  /** The relationships of DataHub's graph by which its index finds the members. */
  readonly relationships: readonly string[];
  /** The query field that answers a group by its URN. */
  readonly query: string;
  /** The raw aspect of a group that says whether an identity provider decides its edges. */
  readonly originAspect: string;
}

/** How a server without a feature tells elements apart: those of one key are one. */
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
  /** What a mapping by these keys declares, for the schema of manifests. */
  readonly description: string;
  /** A key in examples. */
  readonly example: string;
  /** The short name by which a manifest may call a key, where it has one; several keys can have the same one. */
  plainNameOf(key: string): string;
  /** The type of the entities that the keys name by their URNs, as those spell it. A manifest may write their ids. */
  readonly entityType?: string;
  /** Finds written keys among those of an entity. Only for keys that exist without a value, such as columns. */
  readonly among?: (keys: readonly string[]) => KeyLookUp;
}

/** Says which key is meant: the first of the candidates, or why that is not known. */
export type KeyLookUp = (written: string) => {
  readonly fault?: "none" | "unknown" | "ambiguous";
  readonly candidates: readonly string[];
  readonly suggestion?: string | undefined;
};

/** An entity that the server keeps for a column beside the one that has it, with values that are not ours to edit. */
export interface ColumnEntity {
  /** The field of GraphQL that has the values, as `Type.field`. Only newer servers have it. */
  readonly field: string;
  /** What to select of the entity, as GraphQL text. */
  readonly selection: string;
  /** The same from what is stored of the entity. */
  readonly fromStored: FromStored;
  urnOf(urn: Urn, column: string): Urn;
  observe(entity: JsonObject): readonly Member[];
}

/** An entity that the server keeps for a column beside the one that has it, with the values of a facet by the keys below. */
export interface StoringColumnEntity {
  /** The type of GraphQL, and what to select of it, as GraphQL text. */
  readonly typename: string;
  readonly selection: string;
  /** The same from what is stored of the entity. */
  readonly fromStored: FromStored;
  urnOf(urn: Urn, column: string): Urn;
  observe(entity: JsonObject): FacetValue;
}

/** The definitions that the last key of a map names, and what its values must be by them. */
export interface Definitions {
  readonly kind: KnownKind;
  /** The facets of a definition by which the server judges values: those are written after a change of one. */
  readonly decidedBy: readonly string[];
  /** Whether there is one value, or a set. */
  shapeBy(facets: DefinitionFacets): Leaf["shape"];
  /** What a value must be, as a message ends, where it is something else. `facets` are those of the definition that are known. */
  expected(leaf: Leaf, facets: DefinitionFacets): string | undefined;
  /** The types of the entities that can have values, where the entities of the facet have another one. */
  typesInstead(kind: string, facets: DefinitionFacets): readonly string[] | undefined;
  /** A value that a facet of a definition allows and another one does not, so that no entity can have it. */
  contradiction(facets: DefinitionFacets): Contradiction | undefined;
}

/** A value in a facet of a definition, and what it must be, as a message ends. */
interface Contradiction {
  readonly facet: string;
  readonly found: string;
  readonly expected: string;
}

export type DefinitionFacets = ReadonlyMap<string, FacetValue>;

/** A facet of a scalar or a set for each of several keys. Each key is changed by itself. */
export interface MapFacet extends FacetContract {
  readonly shape: "map";
  readonly definitions?: Definitions;
  /** The keys that lead to a value, outermost first. The first dot of the name, if it has one, is the place of the first key. */
  readonly keys: readonly [Keys, ...Keys[]];
  /** Read only of columns that are declared: it costs the server a look-up for each. */
  readonly columnEntity?: ColumnEntity;
  /** Where its values are stored, if it is there. It is read as well of declared columns only. */
  readonly storedInColumns?: StoringColumnEntity;
}

/** One managed field of an entity: everything that the reconciler must know of it. */
export type Facet = ScalarFacet | SetFacet | MapFacet;
