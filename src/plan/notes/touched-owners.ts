/** Finds the owners of the entities that a plan affects. */

import { facets } from "../../facets/index.ts";
import { type Change, isSetChange } from "../../model/change.ts";
import type { State } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { valuesOf } from "../../model/values.ts";

/** The facets that contain owners. */
export const ownerFacets = facets.filter(({ isOwnership }) => isOwnership === true);

/**
 * Returns the owners of all changed entities in each state, and the owners that changes add or remove. The result is sorted and
 * contains no duplicates.
 */
export function touchedOwners(changes: readonly Change[], states: readonly State[]): readonly Urn[] {
  const changed = [...new Set(changes.map(({ urn }) => urn))];
  const owners = ownerFacets.flatMap(({ name, wording }) => {
    const current = states.flatMap((state) =>
      changed.flatMap((urn) => valuesOf(state.get(urn)?.facets.get(name))),
    );
    const moved = changes
      .filter(isSetChange)
      .filter(({ facet }) => facet === name)
      .flatMap(({ add, remove }) => [...add, ...remove]);
    return [...current, ...moved].map((member) => wording?.subjectOf?.(member) ?? member);
  });
  return [...new Set(owners)].filter(isUrn).toSorted();
}
