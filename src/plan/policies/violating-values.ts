/** Describes the values of a violating entity, and returns the names of places that are shown in reasons. */

import { facetNamed } from "../../facets/index.ts";
import { isOfColumns, innerKey } from "../../facets/places.ts";
import { leavesOf, type Path, valueAt } from "../../model/place.ts";
import { ownerOf, plainKey, type Subject, textsOf, valuesAt } from "./subject.ts";

/** The maximum number of values shown for a place, and the maximum length of each value in characters. */
const maxValues = 5;
const maxLength = 100;

/** Returns the name of a place for use in reasons. For a column facet, it starts with the facet's key within a column. */
export function nameAt(facet: string, path: Path): string {
  const name = isOfColumns(facet) ? (innerKey(facetNamed(facet)) ?? facet) : facet;
  return [name, ...path.map((key) => plainKey(facet, key))].join(".");
}

/** Describes the values in the given facets of an entity or column, for example `owners: bob (DATA_STEWARD); domain: finance`. */
export function describeValues(
  subject: Subject,
  facets: Iterable<string>,
  column?: string,
): string | undefined {
  const texts = [...new Set(facets)].flatMap((facet) => {
    const isOfColumn = isOfColumns(facet);
    if (isOfColumn && column === undefined) return [];
    return foundAt(subject, facet, isOfColumn && column !== undefined ? [column] : []);
  });
  return texts.length === 0 ? undefined : texts.join("; ");
}

function foundAt(subject: Subject, facet: string, above: Path): readonly string[] {
  return leavesOf(valueAt(subject.facets.get(facet), above)).flatMap(([path]) => {
    const values = valuesAt(subject, facet, [...above, ...path]) ?? [];
    if (values.length === 0) return [];
    const shown = values.slice(0, maxValues).map((value) => shortText(valueText(facet, value)));
    const more = values.length > maxValues ? `, … ${values.length} in all` : "";
    return [`${nameAt(facet, path)}: ${shown.join(", ")}${more}`];
  });
}

function valueText(facet: string, value: Parameters<typeof textsOf>[1]): string {
  const [text = ""] = textsOf(facet, value);
  const [type] =
    ownerOf(facet, value) === undefined ? [] : (facetNamed(facet).ownershipTypeOf?.(value) ?? []);
  return type === undefined ? text : `${text} (${type})`;
}

function shortText(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
