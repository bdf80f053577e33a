import { kindOfType } from "../../kinds/index.ts";
import type { Kind, SearchFilter } from "../../kinds/kind.ts";
import type { Problem } from "../../model/problem.ts";
import { entityTypeOf, plainKeyOf, type Urn } from "../../model/urn.ts";
import { entitiesByName, namedAs } from "../../plan/checks/named.ts";
import { absentIn, type Substitutes } from "../../plan/checks/suggestions.ts";
import type { Reader } from "../client/client.ts";
import { readNames } from "./names.ts";
import type { ReadOptions } from "./read-batches.ts";
import { type Search, search } from "./search.ts";

/**
 * Looks up what the catalog has in place of what is absent: assets with similar names; and for references what is called
 * so, where none of the `known` display names is meant. A look-up that fails finds nothing. Throws only the reason of a
 * signal.
 */
export async function readSubstitutes(
  reader: Reader,
  problems: readonly Problem[],
  known: ReadonlyMap<Urn, string>,
  { onProgress: _, ...options }: ReadOptions = {},
): Promise<Substitutes> {
  const { assets, references } = absentIn(problems);
  const knownByName = entitiesByName(known);
  const unknown = references.filter((urn) => !namedAs(urn, knownByName).named);
  const searches = [...assets.map(similarTo), ...unknown.map(calledLike)].flatMap((each) => each ?? []);
  const found = await search(reader, searches, options);
  const candidates = [...new Set(found.slice(assets.length).flat())].filter((urn) => !known.has(urn));
  const names = await readNames(reader, candidates, options);
  return {
    alike: new Map(assets.map((urn, index) => [urn, found[index] ?? []])),
    named: entitiesByName([...known, ...names]),
  };
}

function similarTo(urn: Urn): Search | undefined {
  const { searchType, alike } = kindAt(urn);
  return alike && { type: searchType, anyOf: alike.filters(urn) };
}

// The field of the aspect that holds the name is also that of DataHub's index.
function calledLike(urn: Urn): Search | undefined {
  const { searchType, keeps, displayName = "" } = kindAt(urn);
  const field = keeps[displayName]?.[1];
  if (field === undefined) return undefined;
  const exact: SearchFilter = { field, values: [plainKeyOf(urn)] };
  // It finds more than is asked for, but also what differs in case.
  return { type: searchType, anyOf: [[exact], [{ ...exact, condition: "CONTAIN" }]] };
}

function kindAt(urn: Urn): Kind {
  const kind = kindOfType(entityTypeOf(urn));
  if (!kind) throw new Error(`${urn} is of no kind`);
  return kind;
}
