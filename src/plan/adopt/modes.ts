import { facetNamed, memberships } from "../../facets/index.ts";
import type { Mode, Modes } from "../../model/settings.ts";
import type { Entity, Leaf } from "../../model/state.ts";

const widest: Mode = "authoritative";

/**
 * The mode of an entity's facet: its manifest's own, else that of the settings. The value of a column can have another
 * one. Edges that an entity declares from their
 * other end have the mode of that end where no mode is given for its own. What cannot be declared is ours.
 */
export function modeOf(entity: Pick<Entity, "manage">, facet: string, modes: Modes, value?: Leaf): Mode {
  if (facetNamed(facet).schema === undefined) return widest;
  const otherEnd = facet === memberships.inverse ? modes[memberships.facet] : undefined;
  return value?.mode ?? entity.manage?.[facet] ?? modes[facet] ?? otherEnd ?? widest;
}
