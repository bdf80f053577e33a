import { facetNamed, memberships } from "../../facets/index.ts";
import type { Mode, Modes } from "../../model/settings.ts";
import type { Entity, Leaf } from "../../model/state.ts";

const widest: Mode = "authoritative";

/** The mode of a value: its own, its entity's, that of the settings (for `groups` also that of `members`), else authoritative. */
export function modeOf(entity: Pick<Entity, "manage">, facet: string, modes: Modes, value?: Leaf): Mode {
  if (facetNamed(facet).schema === undefined) return widest;
  const otherEnd = facet === memberships.inverse ? modes[memberships.facet] : undefined;
  return value?.mode ?? entity.manage?.[facet] ?? modes[facet] ?? otherEnd ?? widest;
}
