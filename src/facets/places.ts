import type { Path, Place } from "../model/place.ts";
import type { FacetValue } from "../model/state.ts";
import { isUrn, type Urn } from "../model/urn.ts";
import { columns } from "./columns.ts";
import type { Facet, Keys } from "./facet.ts";
import { facetNamed } from "./index.ts";

/** Whether the first key below a facet is a column. */
export function isOfColumns(facet: string): boolean {
  return keysOf(facet)[0] === columns;
}

/** The keys below a facet that lead to its values, outermost first. */
export function keysOf(name: string): readonly Keys[] {
  const facet = facetNamed(name);
  return facet.shape === "map" ? facet.keys : [];
}

/** The entities that the keys of a place name. */
export function entitiesNamedIn({ facet, path }: Place): readonly Urn[] {
  const keys = keysOf(facet);
  return path?.filter((key, level): key is Urn => keys[level]?.entityType !== undefined && isUrn(key)) ?? [];
}

/** The column that a place is about: the first key below a facet of columns. */
export function columnOf({ facet, path }: Partial<Place>): string | undefined {
  return facet !== undefined && isOfColumns(facet) ? path?.[0] : undefined;
}

/** A place as manifests may name it: each key exactly or by its plain name, with all exact keys first and all plain names last. */
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

/** The names by which manifests mean a place of what is live: a plain name that is the key of another place means that one. */
export function namesAmong(place: Place, live: FacetValue | undefined): readonly Place[] {
  const key = place.path?.[0];
  const isOther = (name: string | undefined): boolean =>
    name !== undefined && name !== key && live?.shape === "map" && live.entries.has(name);
  return namesOfPlace(place).filter(({ path }) => !isOther(path?.[0]));
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

/** The key of a facet in a manifest. */
export function outerKey({ name }: Pick<Facet, "name">): string {
  const dot = name.indexOf(".");
  return dot < 0 ? name : name.slice(0, dot);
}

/** The key of a facet below each key of a mapping that it shares with others: `tags` of `columns.tags`. */
export function innerKey({ name }: Pick<Facet, "name">): string | undefined {
  const dot = name.indexOf(".");
  return dot < 0 ? undefined : name.slice(dot + 1);
}
