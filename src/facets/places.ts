import { isSamePlace, type Place } from "../model/place.ts";
import { simpleColumn } from "./column-names.ts";
import { facetNamed } from "./index.ts";

/** Whether the first key below a facet is a column. */
export function isOfColumns(facet: string): boolean {
  return facetNamed(facet).shape === "map";
}

/** The column that a place is about: the first key below a facet of columns. */
export function columnOf({ facet, path }: Partial<Place>): string | undefined {
  return facet !== undefined && isOfColumns(facet) ? path?.[0] : undefined;
}

/** A place as manifests may name it: with exact keys first, then with plain names of columns where those differ. */
export function namesOfPlace(place: Place): readonly Place[] {
  const column = columnOf(place);
  if (column === undefined) return [place];
  const plain: Place = { facet: place.facet, path: [simpleColumn(column), ...(place.path ?? []).slice(1)] };
  return isSamePlace(place, plain) ? [place] : [place, plain];
}

/** The keys of a place as JSON and messages name them. */
export interface NamedKeys {
  /** Of a facet of columns. */
  readonly column?: string;
  /** All keys, where the column does not say all. */
  readonly path?: readonly string[];
}

/** The keys of a place as JSON and messages name them. */
export function namedKeys(place: Partial<Place>): NamedKeys {
  const { path } = place;
  if (path === undefined) return {};
  const column = columnOf(place);
  if (column === undefined) return { path };
  return path.length === 1 ? { column } : { column, path };
}

/** Something at a place, with its keys as JSON names them. */
export function withNamedKeys(each: Partial<Place>): object {
  return each.path === undefined ? each : withKeys(each, namedKeys(each));
}

/** Something at a place, with other names of its keys in the place of `path`. */
export function withKeys(each: Partial<Place>, keys: NamedKeys): object {
  const fields = Object.entries(each);
  return Object.fromEntries(
    fields.flatMap((field) => (field[0] === "path" ? Object.entries(keys) : [field])),
  );
}
