/** Determines the mode that applies to a value. */

import { edgeSetOfInverse, facetNamed, isDeclarable } from "../../facets/index.ts";
import type { Mode, Modes } from "../../model/settings.ts";
import type { OwnModes, Leaf } from "../../model/state.ts";

const widest: Mode = "authoritative";

/**
 * Returns the mode of a value. The order of precedence is: the value's own mode, its entity's mode, the facet's mode, the mode of
 * the group facet (for groups that a member lists), and `authoritative`.
 */
export function modeOf(entity: OwnModes, facet: string, modes: Modes, value?: Leaf): Mode {
  if (!isDeclarable(facetNamed(facet))) return widest;
  const ofGroups = edgeSetOfInverse(facet)?.facet;
  const otherEnd = ofGroups === undefined ? undefined : modes[ofGroups];
  return value?.mode ?? entity.manage?.[facet] ?? modes[facet] ?? otherEnd ?? widest;
}
