/** Describes the values of a violating entity, and returns the facet names that are shown in reasons. */

import { facetNamed } from "../../facets/index.ts";
import { isOfColumns, innerKey } from "../../facets/places.ts";
import { leavesOf, type Path, valueAt } from "../../model/place.ts";
import { ownerOf, plainKey, type Subject, textsOf, valuesAt } from "./subject.ts";

/** The maximum number of values shown for a place, and the maximum length of each value in characters. */
const maxValues = 5;
const maxLength = 100;

/** Returns a facet's name for use in reasons. For a column facet, this is the facet's key within a column. */
export function nameOfFacet(facet: string): string {
  return isOfColumns(facet) ? (innerKey(facetNamed(facet)) ?? facet) : facet;
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
    const name = [nameOfFacet(facet), ...path.map((key) => plainKey(facet, key))].join(".");
    const shown = values.slice(0, maxValues).map((value) => shortText(valueText(facet, value)));
    const more = values.length > maxValues ? `, … ${values.length} in all` : "";
    return [`${name}: ${shown.join(", ")}${more}`];
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
