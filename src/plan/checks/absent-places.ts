/** Collects the references declared on missing assets and columns, so that they are checked although no change writes them. */

import { columnOf } from "../../facets/places.ts";
import { leafIn, leavesOf, type Place, placeAt } from "../../model/place.ts";
import { appendTo } from "../../model/append.ts";
import { hasTrait, type Problem } from "../../model/problem.ts";
import type { Member, Scalar, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { referredBy } from "../base/values.ts";
import type { Ignored } from "../base/ignore.ts";
import type { MissingRule } from "../base/policy.ts";
import { valuesOf } from "../../model/values.ts";

/** A reference from an entity's facet to a URN. */
export type Written = readonly [from: string, facet: string, to: string];

/**
 * Returns the references that missing assets and columns declare. No change writes these references, but they are checked unless
 * the policy skips missing entities.
 */
export function referencesOfAbsent(
  declared: State,
  problems: readonly Problem[],
  missing: MissingRule,
  ignored: Ignored,
): readonly Written[] {
  const found: Written[] = [];
  for (const { urn, place } of problems.flatMap((problem) => placesOf(problem, declared, missing))) {
    const { facet } = place;
    const isWritten = (value: Member | Scalar): boolean => ignored.value(urn, facet, value) === undefined;
    const values = valuesOf(leafIn(declared.get(urn), place));
    const written = referredBy(facet, values.filter(isWritten)).map((to): Written => [urn, facet, to]);
    appendTo(found, written);
  }
  return found;
}

/** A place in an entity, with the keys that the manifest uses. */
interface DeclaredPlace {
  readonly urn: Urn;
  readonly place: Place;
}

function placesOf(problem: Problem, declared: State, missing: MissingRule): readonly DeclaredPlace[] {
  const isSkipped = missing === "skip";
  if (!isSkipped && hasTrait(problem, "absent-asset", "soft-deleted-asset"))
    return placesIn(declared, problem.args.urn as Urn);
  if (hasTrait(problem, "unclear-column") || (!isSkipped && hasTrait(problem, "gone-column"))) {
    const { urn, column } = problem.args;
    return placesIn(declared, urn as Urn).filter(({ place }) => columnOf(place) === column);
  }
  return [];
}

function placesIn(declared: State, urn: Urn): readonly DeclaredPlace[] {
  return [...(declared.get(urn)?.facets ?? [])].flatMap(([facet, value]) =>
    leavesOf(value).map(([path]) => ({ urn, place: placeAt(facet, path) })),
  );
}
