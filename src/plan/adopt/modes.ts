import { facetNamed } from "../../facets/index.ts";
import type { Mode, Modes } from "../../model/policy.ts";
import type { Entity } from "../../model/state.ts";

const widest: Mode = "authoritative";

/** The mode of an entity's facet: its manifest's own, else that of the settings. What nobody can declare is ours. */
export function modeOf(entity: Pick<Entity, "manage">, facet: string, modes: Modes): Mode {
  if (facetNamed(facet).schema === undefined) return widest;
  return entity.manage?.[facet] ?? modes[facet] ?? widest;
}

/** The mode of the memberships that a user lists: the key `groups`, else what holds for the members of groups. */
export function modeOfGroups(user: Pick<Entity, "manage"> | undefined, modes: Modes): Mode {
  return user?.manage?.["groups"] ?? modes["groups"] ?? modes["members"] ?? widest;
}
