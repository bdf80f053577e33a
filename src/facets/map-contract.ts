/** Defines the keys of a map facet, the entities that store columns, and how definitions restrict the values. */

import type { KnownKind } from "../kinds/index.ts";
import type { JsonObject } from "../model/json.ts";
import type { FacetValue, Leaf, Member } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import type { AnsweredAspect } from "./answered-aspects.ts";

/** The keys at one level of a map. */
export interface Keys {
  /** The manifest schema's description of a mapping with these keys. */
  readonly description: string;
  /** An example key for the manifest schema. */
  readonly example: string;
  /**
   * Returns the short name that a manifest may use for a key, or else the key itself. Several keys can have the same short name.
   */
  plainNameOf(key: string): string;
  /** If the keys are URNs, their entity type, spelled as in URNs. Manifests may use ids instead. */
  readonly entityType?: string;
  /**
   * Returns a function that looks up keys from a manifest among the keys of an entity. Defined only for keys that can exist
   * without a value, such as columns.
   */
  readonly among?: (keys: readonly string[]) => KeyFinder;
}

/** Looks up a key from a manifest. If there is no fault, the result has exactly one candidate, which is the key in full. */
export type KeyFinder = (written: string) => {
  readonly fault?: "none" | "unknown" | "ambiguous";
  readonly candidates: readonly string[];
  readonly suggestion?: string | undefined;
};

/** A separate entity that the server stores for a column. Its values cannot be edited. */
export interface ColumnEntity {
  /** The GraphQL field (`Type.field`) that returns the values. Only newer servers have it. */
  readonly field: string;
  /** The aspect of the entity that contains the values. */
  readonly answered: AnsweredAspect;
  urnOf(urn: Urn, column: string): Urn;
  observe(aspects: JsonObject): readonly Member[];
}

/**
 * A separate entity in which the server stores a column's values for a facet. The path to a value in this entity does not include
 * the column.
 */
export interface StoringColumnEntity {
  readonly typename: string;
  /** The aspect of the entity that contains the values. */
  readonly answered: AnsweredAspect;
  urnOf(urn: Urn, column: string): Urn;
  observe(aspects: JsonObject): FacetValue;
}

/** How definitions restrict the values of a map. The last key in a value's path refers to its definition. */
export interface Definitions {
  readonly kind: KnownKind;
  /** The facets of a definition that the server validates values against. Values are written after changes to these facets. */
  readonly decidedBy: readonly string[];
  /** Returns whether a property has a single value or a set. */
  shapeBy(facets: DefinitionFacets): Leaf["shape"];
  /**
   * Describes the expected value, as the last words of a message; `undefined` if the value fits. `facets` are the known facets of
   * the definition.
   */
  expected(leaf: Leaf, facets: DefinitionFacets): string | undefined;
  /** Returns the entity types that the definition allows; `undefined` if it allows entities of the kind. */
  typesInstead(kind: string, facets: DefinitionFacets): readonly string[] | undefined;
  /** Finds a value that one facet of a definition allows but a different facet forbids. No entity can have such a value. */
  contradiction(facets: DefinitionFacets): Contradiction | undefined;
}

/** A contradiction between two facets of a definition: the value found in `facet`, and a description of the expected value. */
interface Contradiction {
  readonly facet: string;
  readonly found: string;
  readonly expected: string;
}

export type DefinitionFacets = ReadonlyMap<string, FacetValue>;
