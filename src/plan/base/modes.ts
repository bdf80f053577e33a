/** Finds the mode under which a value is managed. */

import { edgeSetOfInverse, facetNamed } from "../../facets/index.ts";
import type { Mode, Modes } from "../../model/settings.ts";
import type { OwnModes, Leaf } from "../../model/state.ts";

const widest: Mode = "authoritative";

/**
 * Returns a value's mode: its own, else its entity's, else the facet's, else (for groups that a member lists)
 * the group facet's, else authoritative.
 */
export function modeOf(entity: OwnModes, facet: string, modes: Modes, value?: Leaf): Mode {
  if (facetNamed(facet).schema === undefined) return widest;
  const ofGroups = edgeSetOfInverse(facet)?.facet;
  const otherEnd = ofGroups === undefined ? undefined : modes[ofGroups];
  return value?.mode ?? entity.manage?.[facet] ?? modes[facet] ?? otherEnd ?? widest;
}
