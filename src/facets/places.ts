/** Converts the keys that lead to a value, such as its column, to their form in manifests, JSON and messages. */

import type { Path, Place } from "../model/place.ts";
import type { FacetValue } from "../model/state.ts";
import { isUrn, type Urn } from "../model/urn.ts";
import { columns } from "./columns.ts";
import type { Facet } from "./facet.ts";
import type { Keys } from "./map-contract.ts";
import { facetNamed } from "./index.ts";

/** Whether the first key of a facet is a column. */
export function isOfColumns(facet: string): boolean {
  return keysOf(facet)[0] === columns;
}

/** Returns the levels of keys in a facet, outermost first; empty if the facet is not a map. */
export function keysOf(name: string): readonly Keys[] {
  const facet = facetNamed(name);
  return facet.shape === "map" ? facet.keys : [];
}

/** Returns the entities whose URNs are keys in the path. */
export function entitiesNamedIn({ facet, path }: Place): readonly Urn[] {
  const keys = keysOf(facet);
  return path?.filter((key, level): key is Urn => keys[level]?.entityType !== undefined && isUrn(key)) ?? [];
}

/** Returns the column of a place; `undefined` if the facet is not a column facet. */
export function columnOf({ facet, path }: Partial<Place>): string | undefined {
  return facet !== undefined && isOfColumns(facet) ? path?.[0] : undefined;
}

/**
 * Returns all spellings of a place that a manifest can use, with each key in full or as its short name. The spelling with all
 * keys in full comes first, and the spelling with only short names comes last.
 */
export function namesOfPlace({ facet, path }: Place): readonly Place[] {
  if (path === undefined) return [{ facet }];
  const keys = keysOf(facet);
  const paths = path.reduce<readonly Path[]>(
    (named, key, level) => {
      const names = new Set([key, keys[level]?.plainNameOf(key) ?? key]);
      return named.flatMap((above) => [...names].map((name) => [...above, name]));
    },
    [[]],
  );
  return paths.map((each) => ({ facet, path: each }));
}

/**
 * Returns the spellings that refer to this place in a live entity. A short name that equals a different key refers to that key
 * instead.
 */
export function namesAmong(place: Place, live: FacetValue | undefined): readonly Place[] {
  const key = place.path?.[0];
  const isOther = (name: string | undefined): boolean =>
    name !== undefined && name !== key && live?.shape === "map" && live.entries.has(name);
  return namesOfPlace(place).filter(({ path }) => !isOther(path?.[0]));
}

/** The keys of a value, in the form for JSON and messages. */
export interface NamedKeys {
  /** The column, for column facets. */
  readonly column?: string;
  /** All keys, if there are keys in addition to the column. */
  readonly path?: readonly string[];
}

/** Converts the keys of a value to the form for JSON and messages. */
export function namedKeys(place: Partial<Place>): NamedKeys {
  const { path } = place;
  if (path === undefined) return {};
  const column = columnOf(place);
  if (column === undefined) return { path };
  return path.length === 1 ? { column } : { column, path };
}

/** Replaces the `path` of a type with the keys in their JSON form. */
type WithNamedKeys<Each> = Each extends unknown ? Omit<Each, "path"> & NamedKeys : never;

/** Replaces the `path` of an object with the keys in their JSON form. */
export function withNamedKeys<Each extends Partial<Place>>(each: Each): WithNamedKeys<Each>;
export function withNamedKeys(each: Partial<Place>): object {
  return each.path === undefined ? each : withKeys(each, namedKeys(each));
}

/** Replaces the `path` of an object with the given keys. */
export function withKeys<Each extends Partial<Place>>(each: Each, keys: NamedKeys): WithNamedKeys<Each>;
export function withKeys(each: Partial<Place>, keys: NamedKeys): object {
  const fields = Object.entries(each);
  return Object.fromEntries(
    fields.flatMap((field) => (field[0] === "path" ? Object.entries(keys) : [field])),
  );
}

/** Returns the top-level key of a facet in a manifest: `columns` for `columns.tags`. */
export function outerKey({ name }: Pick<Facet, "name">): string {
  const dot = name.indexOf(".");
  return dot < 0 ? name : name.slice(0, dot);
}

/** Returns the key of a facet in a mapping that several facets share: `tags` for `columns.tags`. */
export function innerKey({ name }: Pick<Facet, "name">): string | undefined {
  const dot = name.indexOf(".");
  return dot < 0 ? undefined : name.slice(dot + 1);
}
