/** Builds the manifest that declares a live entity, and lists the values that no manifest can declare. */

import { isExpressible } from "../../../facets/expressible.ts";
import type { Facet } from "../../../facets/facet.ts";
import { facetNamed, facetsOf, plannedFacets, isDeclarable } from "../../../facets/index.ts";
import { namesAmong, namesOfPlace } from "../../../facets/places.ts";
import { kindOf } from "../../../kinds/index.ts";
import { appendTo } from "../../../model/append.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import { groupBy } from "../../../model/group-by.ts";
import { leavesOf, pathKey, type Place, placeAt, valueFrom } from "../../../model/place.ts";
import {
  type Entity,
  type FacetValue,
  type Leaf,
  type Member,
  type Scalar,
  without,
} from "../../../model/state.ts";
import type { Urn } from "../../../model/urn.ts";
import type { Ignored } from "../../../plan/base/ignore.ts";
import { manifestKeys } from "../../schema/schema.ts";
import { schemaErrors } from "../../schema/schema-check.ts";
import { pointerTo } from "../../schema/schema-path.ts";
import { type DisplayNames, namedBy, displayNameComment } from "../display-name-comment.ts";

/** A manifest, its comments, and the values that it cannot declare. */
export interface EntityManifest {
  readonly kind: string;
  readonly data: JsonObject;
  /** The declared facets, with keys as written in the manifest. */
  readonly facets: Entity["facets"];
  /** The display names of referenced entities, keyed by the JSON pointer to the value. */
  readonly comments: ReadonlyMap<string, string>;
  readonly names: DisplayNames;
  /** The values that a manifest cannot declare. */
  readonly notExpressible: readonly InexpressibleValue[];
}

/** A live value that a manifest cannot declare. */
interface InexpressibleValue {
  readonly facet: string;
  readonly value: Member | Scalar;
  /** Whether the value is a list element. If so, the manifest declares the other elements. */
  readonly isElement: boolean;
}

/** Functions that select the values that an entity's manifest declares. */
export interface DeclaredValues {
  /**
   * Returns whether an entity's manifest should declare a value. If a different manifest declares the value, returns true only
   * for a list that this manifest also declares. `names` contains all spellings of the value's keys.
   */
  readonly isWanted: (urn: Urn, names: readonly Place[]) => boolean;
  /** Returns the list elements that other manifests declare. `names` contains all spellings of the list's keys. */
  readonly elsewhere: (urn: Urn, names: readonly Place[]) => readonly Member[];
}

/** Options that select the values to declare. */
export interface ManifestOptions extends DeclaredValues {
  readonly names: DisplayNames;
  /** The values that the settings ignore. */
  readonly ignored: Ignored;
}

/** A scalar or a set, and its keys as written in the manifest. */
interface PlacedLeaf {
  readonly place: Place;
  readonly leaf: Leaf;
}

/**
 * Builds a live entity's manifest. Omits values that a manifest cannot declare, and empty facets, which the manifest would
 * otherwise manage.
 */
export function entityManifest(entity: Entity, options: ManifestOptions): EntityManifest {
  const { names } = options;
  const kind = kindOf(entity.kind);
  const identity: JsonObject = { kind: kind.name, ...kind.identityOf(entity.urn) };
  const facets = new Map<string, FacetValue>();
  const all: PlacedLeaf[] = [];
  const notExpressible: InexpressibleValue[] = [];
  for (const facet of declarableFacets(kind.name)) {
    const { leaves: found, left } = expressibleLeaves(
      facet,
      entity.urn,
      declaredLeaves(facet, entity, options),
    );
    const isFit = found.length === 0 || schemaErrors(kind.name, withLeaves(identity, found)).length === 0;
    const leaves = isFit ? found : [];
    appendTo(notExpressible, isFit ? left : [...left, ...inexpressibleIn(facet, found)]);
    if (leaves.length === 0) continue;
    facets.set(facet.name, valueFrom(leaves.map(({ place: { path = [] }, leaf }) => [path, leaf])));
    appendTo(all, leaves);
  }
  const data = withLeaves(identity, all);
  return { kind: kind.name, data, facets, notExpressible, names, comments: commentsOn(data, all, names) };
}

/**
 * Returns the facets that a manifest can declare, in schema order. If two facets declare the same edges, only the one that plans
 * show is included.
 */
function declarableFacets(kind: string): readonly Facet[] {
  return facetsOf(kind).filter((facet) => isDeclarable(facet) && plannedFacets.includes(facet));
}

function declaredLeaves(
  { name }: Facet,
  { urn, facets }: Entity,
  { ignored, isWanted, elsewhere }: ManifestOptions,
): readonly PlacedLeaf[] {
  const value = facets.get(name);
  if (!value || ignored.value(urn, name, value.shape === "scalar" ? value.value : null)) return [];
  const leaves = leavesOf(value);
  const places = writtenPlaces(leaves.map(([path]) => placeAt(name, path)));
  return leaves.flatMap(([path, each], index) => {
    const exact = placeAt(name, path);
    const placeNames = namesAmong(exact, value);
    const leaf = each.shape === "scalar" ? each : withoutOthers(each.members, placeNames);
    if (valuesOf(leaf).length === 0 || !isWanted(urn, placeNames)) return [];
    return [{ place: places[index] ?? exact, leaf }];
  });

  function withoutOthers(members: readonly Member[], placeNames: readonly Place[]): Leaf {
    const own = members.filter((member) => !ignored.value(urn, name, member));
    return { shape: "set", members: without(own, elsewhere(urn, placeNames)) };
  }
}

function valuesOf(leaf: Leaf): readonly (Member | Scalar)[] {
  if (leaf.shape === "set") return leaf.members;
  return leaf.value === null ? [] : [leaf.value];
}

// Replaces full column paths with plain names, unless two columns have the same plain name or one column's path is another
// column's name.
function writtenPlaces(exact: readonly Place[]): readonly Place[] {
  const plain = exact.map((place) => namesOfPlace(place).at(-1) ?? place);
  const all = groupBy([...plain, ...exact], ({ path }) => pathKey(path));
  return exact.map((place, index) => {
    const { path = [] } = plain[index] ?? place;
    return all.get(pathKey(path))?.length === 1 && !path.includes("") ? placeAt(place.facet, path) : place;
  });
}

/**
 * Separates the values that a manifest can declare from the values that it cannot. Returns declarable values as they would be
 * read back from a manifest.
 */
function expressibleLeaves(
  facet: Facet,
  urn: Urn,
  leaves: readonly PlacedLeaf[],
): { readonly leaves: readonly PlacedLeaf[]; readonly left: readonly InexpressibleValue[] } {
  const left: InexpressibleValue[] = [];
  const kept = leaves.flatMap(({ place, leaf }): readonly PlacedLeaf[] => {
    const isKept = (value: Member | Scalar): boolean =>
      !(leaf.shape === "scalar" && leaf.several) && isExpressible(facet, urn, value);
    appendTo(
      left,
      inexpressibleIn(facet, [{ place, leaf }]).filter(({ value }) => !isKept(value)),
    );
    if (leaf.shape === "scalar")
      return isKept(leaf.value) ? [{ place, leaf: { ...leaf, value: asDeclared(facet, leaf.value) } }] : [];
    const members = leaf.members.filter(isKept);
    return members.length > 0 ? [{ place, leaf: { ...leaf, members } }] : [];
  });
  return { leaves: kept, left };
}

function inexpressibleIn(
  { name: facet }: Facet,
  leaves: readonly PlacedLeaf[],
): readonly InexpressibleValue[] {
  return leaves.flatMap(({ leaf }) =>
    valuesOf(leaf).map((value) => ({ facet, value, isElement: leaf.shape === "set" })),
  );
}

/** Returns a value as it would be read back from a manifest. Only prose can differ from the original. */
function asDeclared(facet: Facet, value: Scalar): Scalar {
  const parsed = facet.isProse ? facet.parse(facet.written(value)) : undefined;
  return parsed && "value" in parsed ? parsed.value : value;
}

function withLeaves(identity: JsonObject, leaves: readonly PlacedLeaf[]): JsonObject {
  const data = { ...identity };
  for (const { place, leaf } of leaves) {
    const written = valuesOf(leaf).map((value) => facetNamed(place.facet).written(value));
    setAt(data, manifestKeys(place), leaf.shape === "set" ? written : (written[0] ?? null));
  }
  return data;
}

/** Sets a value at a key path, and creates missing mappings. */
function setAt(mapping: JsonObject, [key = "", ...below]: readonly string[], value: Json): void {
  const own = Object.hasOwn(mapping, key) ? mapping[key] : undefined;
  const next = below.length === 0 ? value : isJsonObject(own) ? own : {};
  // Assigning to the key `__proto__` would set the prototype.
  Object.defineProperty(mapping, key, { value: next, enumerable: true, configurable: true });
  if (below.length > 0) setAt(next as JsonObject, below, value);
}

function commentsOn(
  data: JsonObject,
  leaves: readonly PlacedLeaf[],
  names: DisplayNames,
): ReadonlyMap<string, string> {
  const text = canonicalJson(data);
  const comments = new Map<string, string>();
  for (const { place, leaf } of leaves) {
    valuesOf(leaf).forEach((value, index) => {
      const name = displayNameComment(value, names);
      if (name === undefined || text.includes(JSON.stringify(name))) return;
      const pointer = pointerTo(...manifestKeys(place));
      comments.set(leaf.shape === "set" ? `${pointer}/${index}` : pointer, name);
    });
  }
  return comments;
}

/** Returns the URNs in an entity's values for which a comment can show a display name. */
export function urnsIn(facets: Entity["facets"]): readonly Urn[] {
  return [...facets.values()]
    .flatMap((value) => leavesOf(value))
    .flatMap(([, leaf]) => valuesOf(leaf).flatMap((value) => namedBy(value) ?? []));
}
