/** Defines places: the locations of scalars and sets in the facets of an entity. Also reads, builds and joins values. */

import { groupBy } from "./group-by.ts";
import {
  type Entity,
  type FacetValue,
  isMember,
  type Leaf,
  memberText,
  scalarOf,
  type ScalarValue,
  setOf,
  type SetValue,
} from "./state.ts";

/** The location of a value: a facet and the keys below it. */
export interface Place {
  readonly facet: string;
  /** The keys that lead from the facet to the value, outermost first; absent if the value is not nested. */
  readonly path?: Path;
}

/** The keys of nested maps, outermost first. */
export type Path = readonly string[];

/** Creates a place from a facet and a key path. */
export function placeAt(facet: string, path: Path): Place {
  return path.length === 0 ? { facet } : { facet, path };
}

/** Returns a string that identifies a path. The strings also define the order of places within a facet. */
export function pathKey(path: Path = []): string {
  return path.join("\0");
}

/** Returns a string that identifies a place in an entity. */
export function placeKey({ facet, path }: Place): string {
  return `${facet}\0${pathKey(path)}`;
}

/** Whether two places are the same. */
export function isSamePlace(a: Partial<Place>, b: Partial<Place>): boolean {
  return a.facet === b.facet && pathKey(a.path) === pathKey(b.path);
}

/**
 * Returns the scalars and sets in a value, each with its key path. The path is empty if the value itself is a scalar or a set.
 */
export function leavesOf(
  value: FacetValue | undefined,
  above: Path = [],
): readonly (readonly [path: Path, leaf: Leaf])[] {
  if (value === undefined) return [];
  if (value.shape !== "map") return [[above, value]];
  // A single key is wrapped without spreading, because a spread reserves memory for more keys.
  return [...value.entries].flatMap(([key, below]) =>
    leavesOf(below, above.length === 0 ? [key] : [...above, key]),
  );
}

/** Returns all scalars and sets of an entity, each with its place. */
export function placedLeaves(
  facets: Entity["facets"],
): readonly { readonly place: Place; readonly leaf: Leaf }[] {
  return [...facets].flatMap(([facet, value]) =>
    leavesOf(value).map(([path, leaf]) => ({ place: placeAt(facet, path), leaf })),
  );
}

/** Returns the scalar or set at a key path in a value; `undefined` if there is none. */
export function leafAt(value: FacetValue | undefined, path: Path = []): Leaf | undefined {
  const found = valueAt(value, path);
  return found?.shape === "map" ? undefined : found;
}

/** Returns the value at a key path; `undefined` if there is none. */
export function valueAt(value: FacetValue | undefined, path: Path): FacetValue | undefined {
  let found = value;
  for (const key of path) found = found?.shape === "map" ? found.entries.get(key) : undefined;
  return found;
}

/** Returns the scalar or set at a place in an entity; `undefined` if there is none. */
export function leafIn(
  entity: { readonly facets: Entity["facets"] } | undefined,
  { facet, path }: Place,
): Leaf | undefined {
  return leafAt(entity?.facets.get(facet), path);
}

/** Builds a value from leaves and their key paths. Returns a map, or the leaf itself if the first path is empty. */
export function valueFrom(leaves: readonly (readonly [path: Path, leaf: Leaf])[]): FacetValue {
  const [first] = leaves;
  if (first?.[0].length === 0) return first[1];
  const byKey = groupBy(leaves, ([[key = ""]]) => key);
  const entries = [...byKey].map(
    ([key, own]) => [key, valueFrom(own.map(([[, ...below], leaf]) => [below, leaf]))] as const,
  );
  return { shape: "map", entries: new Map(entries) };
}

/**
 * Merges the second value into the first. `join` combines each scalar or set in the second value with its counterpart in the
 * first.
 */
export function joined(
  first: FacetValue | undefined,
  second: FacetValue,
  join: (first: Leaf | undefined, second: Leaf, path: Path) => Leaf,
  above: Path = [],
): FacetValue {
  if (second.shape !== "map") return join(first?.shape === "map" ? undefined : first, second, above);
  const entries = new Map<string, FacetValue>(first?.shape === "map" ? first.entries : []);
  for (const [key, below] of second.entries) {
    entries.set(key, joined(entries.get(key), below, join, [...above, key]));
  }
  return { shape: "map", entries };
}

/**
 * Converts the leaves of a map to the shapes that they have in the map `other`. Any other value is returned unchanged. Several
 * values that must become a scalar are joined into a string that does not equal any single value.
 */
export function shapedLike(value: FacetValue, other: FacetValue | undefined): FacetValue {
  if (value.shape !== "map" || other?.shape !== "map" || value === other) return value;
  const changed = [...value.entries].flatMap(([key, below]): readonly (readonly [string, FacetValue])[] => {
    const model = other.entries.get(key);
    const like =
      below.shape === "map" || !model || model.shape === "map"
        ? shapedLike(below, model)
        : inShape(below, model.shape);
    return like === below ? [] : [[key, like]];
  });
  return changed.length === 0 ? value : { ...value, entries: new Map([...value.entries, ...changed]) };
}

function inShape(leaf: Leaf, shape: Leaf["shape"]): Leaf {
  if (leaf.shape === shape) return leaf;
  if (leaf.shape === "scalar") {
    const values = [leaf.value, ...(leaf.since ?? [])];
    return setOf(
      values.flatMap((each) => (isMember(each) ? [each] : [])),
      leaf.origin,
    );
  }
  return singleOf(leaf);
}

/** Converts a set to a single value. Joins several members into one string. */
export function singleOf({ members, origin }: SetValue): ScalarValue {
  const [first = null, ...more] = members;
  if (more.length === 0) return scalarOf(first, origin);
  return { ...scalarOf(members.map(memberText).join(", "), origin), several: members };
}
