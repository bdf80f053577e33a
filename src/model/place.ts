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

/** The place of a value in an entity. */
export interface Place {
  readonly facet: string;
  /** The keys below the facet that lead to the value, outermost first; absent where it is the facet's own. */
  readonly path?: Path;
}

/** Keys of a map, of the map below the first key, and so on. */
export type Path = readonly string[];

/** The place of a value, by its facet and the keys below it. */
export function placeAt(facet: string, path: Path): Place {
  return path.length === 0 ? { facet } : { facet, path };
}

/** The text by which two paths are the same, and by which places of one facet are sorted. */
export function pathKey(path: Path = []): string {
  return path.join("\0");
}

/** The text by which two places of an entity are the same. */
export function placeKey({ facet, path }: Place): string {
  return `${facet}\0${pathKey(path)}`;
}

/** Whether two places are the same. */
export function isSamePlace(a: Partial<Place>, b: Partial<Place>): boolean {
  return a.facet === b.facet && pathKey(a.path) === pathKey(b.path);
}

/** The scalars and sets that a value consists of, each with its keys: of a scalar or a set itself, without keys. */
export function leavesOf(
  value: FacetValue | undefined,
  above: Path = [],
): readonly (readonly [path: Path, leaf: Leaf])[] {
  if (value === undefined) return [];
  if (value.shape !== "map") return [[above, value]];
  // Of a spread the list would keep room for more keys.
  return [...value.entries].flatMap(([key, below]) =>
    leavesOf(below, above.length === 0 ? [key] : [...above, key]),
  );
}

/** The scalars and sets of an entity, each with its place. */
export function placedLeaves(
  facets: Entity["facets"],
): readonly { readonly place: Place; readonly leaf: Leaf }[] {
  return [...facets].flatMap(([facet, value]) =>
    leavesOf(value).map(([path, leaf]) => ({ place: placeAt(facet, path), leaf })),
  );
}

/** The scalar or set at some keys of a value; `undefined` where there is none. */
export function leafAt(value: FacetValue | undefined, path: Path = []): Leaf | undefined {
  const found = valueAt(value, path);
  return found?.shape === "map" ? undefined : found;
}

/** What is at some keys of a value; `undefined` where there is nothing. */
export function valueAt(value: FacetValue | undefined, path: Path): FacetValue | undefined {
  let found = value;
  for (const key of path) found = found?.shape === "map" ? found.entries.get(key) : undefined;
  return found;
}

/** The scalar or set at a place of an entity; `undefined` where there is none. */
export function leafIn(entity: Pick<Entity, "facets"> | undefined, { facet, path }: Place): Leaf | undefined {
  return leafAt(entity?.facets.get(facet), path);
}

/** The value that consists of these scalars and sets: a map, unless the first one is without keys. */
export function valueFrom(leaves: readonly (readonly [path: Path, leaf: Leaf])[]): FacetValue {
  const [first] = leaves;
  if (first?.[0].length === 0) return first[1];
  const byKey = groupBy(leaves, ([[key = ""]]) => key);
  const entries = [...byKey].map(
    ([key, own]) => [key, valueFrom(own.map(([[, ...below], leaf]) => [below, leaf]))] as const,
  );
  return { shape: "map", entries: new Map(entries) };
}

/** Adds a value to another one: `join` makes each scalar or set of the second from that at the same keys of the first. */
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
 * A map with a scalar where another one has one at the same keys, and a set where that has a set; other values as they are.
 * Several values in the place of one become a text with all of them, so that they equal no single one.
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

/** A set in the place of a single value: several values are a text of all. */
export function singleOf({ members, origin }: SetValue): ScalarValue {
  const [first = null, ...more] = members;
  if (more.length === 0) return scalarOf(first, origin);
  return { ...scalarOf(members.map(memberText).join(", "), origin), several: members };
}
