/** Searches for entities that users may have meant when they referred to missing entities. */

import { displayNamesOf } from "../../facets/display-names.ts";
import { kindOfUrn } from "../../kinds/index.ts";
import type { SearchFilter } from "../../kinds/kind.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Problem } from "../../model/problem.ts";
import { entityTypeOf, keyOf, plainKeyOf, type Urn } from "../../model/urn.ts";
import { absentIn, entitiesByName, namedAs, type Candidates } from "../../plan/checks/suggestions.ts";
import type { Reader } from "../../datahub/client.ts";
import { searchByDisplayName } from "./find-by-name.ts";
import { readNames } from "./names.ts";
import type { ReadOptions } from "./read-batches.ts";
import { maxFound, type Search, search } from "./search.ts";

/**
 * Finds substitutes for missing entities: assets with similar names and, for references, entities with a matching display name or
 * a similar id. Does not search for a reference that matches one of the `known` names. A failed search finds nothing. Throws only
 * if the signal is aborted.
 */
export async function readSubstitutes(
  reader: Reader,
  problems: readonly Problem[],
  known: ReadonlyMap<Urn, string>,
  options: ReadOptions = {},
): Promise<Candidates> {
  const { assets, references, unlike } = absentIn(problems);
  const knownByName = entitiesByName(known);
  const unknown = references.filter((urn) => !namedAs(urn, knownByName).named);
  const misspelled = [
    ...groupBy(
      unlike.filter((urn) => unknown.includes(urn)),
      entityTypeOf,
    ).values(),
  ];
  const byName = assets.flatMap((urn) => similarTo(urn) ?? []);
  const byDisplayName = unknown.flatMap(
    (urn) => searchByDisplayName(entityTypeOf(urn), plainKeyOf(urn)) ?? [],
  );
  const searches = [...byName, ...byDisplayName, ...misspelled.flatMap((urns) => spelledLike(urns) ?? [])];
  const found = await search(reader, searches, options);
  const called = found.slice(byName.length, byName.length + byDisplayName.length);
  const spelled = found.slice(byName.length + byDisplayName.length);
  const candidates = [...new Set(called.flat())].filter((urn) => !known.has(urn));
  const names = await readNames(reader, candidates, options);
  return {
    similarNames: new Map([
      ...assets.map((urn, index) => [urn, found[index] ?? []] as const),
      ...misspelled.flatMap((urns, index) => urns.map((urn) => [urn, spelled[index] ?? []] as const)),
    ]),
    named: entitiesByName([...known, ...names]),
  };
}

function similarTo(urn: Urn): Search | undefined {
  const kind = kindOfUrn(urn);
  return kind?.similarNames && { type: kind.searchType, anyOf: kind.similarNames.filters(urn) };
}

/**
 * Creates one search for all references of a type. Each reference adds conditions to this search, so no reference requires a
 * separate request.
 */
function spelledLike(urns: readonly Urn[]): Search | undefined {
  const [first] = urns;
  const { searchType } = (first !== undefined && displayNamesOf(entityTypeOf(first))) || {};
  if (searchType === undefined) return undefined;
  return { type: searchType, anyOf: urns.flatMap(similarIds), max: maxFound * urns.length };
}

/**
 * Returns filters for the first half of the id, for its first quarter and last half, and for the id without its first quarter. A
 * typo, including two swapped letters, leaves at least one of these parts unchanged.
 */
function similarIds(urn: Urn): readonly (readonly SearchFilter[])[] {
  const key = keyOf(urn);
  const half = Math.max(1, Math.floor((key.length - 1) / 2));
  const quarter = Math.floor(half / 2);
  const before = urn.slice(0, -key.length);
  // Older servers are case-sensitive, and ids can be in either case.
  return [...new Set([key, key.toLowerCase()])].flatMap((id) => [
    [inUrn(before + id.slice(0, half))],
    [inUrn(before + id.slice(0, quarter)), inUrn(id.slice(-half))],
    [inUrn(id.slice(Math.min(quarter + 1, id.length - 1)))],
  ]);
}

function inUrn(text: string): SearchFilter {
  return { field: "urn", condition: "CONTAIN", values: [text] };
}
