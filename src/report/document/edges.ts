/** Finds the entities, such as owners and domains, that gain or lose assets because of changes. */

import { facetNamed } from "../../facets/index.ts";
import type { FacetChange } from "../../model/change.ts";
import type { Unmanaged } from "../../model/plan.ts";
import { addedAndRemoved } from "./lines.ts";
import { keyOf } from "./values.ts";

/** An entity that a value refers to. */
interface Subject {
  readonly about: "owner" | "home" | "other";
  readonly subject: string;
}

/** An entity that a value refers to, and that gains or loses an asset. */
export interface Edge extends Subject {
  readonly way: "gains" | "loses";
  readonly change: FacetChange;
}

/**
 * Returns an edge for each entity that gains or loses an asset because of a change. An owner whose role merely changes has no
 * edge.
 */
export function edgesOf(change: FacetChange): readonly Edge[] {
  if (!facetNamed(change.facet).wording) return [];
  const about = aboutOf(change.facet);
  const { gained, lost } = subjectsOf(change);
  const edges = (way: Edge["way"], own: readonly string[], others: readonly string[]): readonly Edge[] =>
    own.filter((each) => !others.includes(each)).map((subject) => ({ way, about, subject, change }));
  return [...edges("loses", lost, gained), ...edges("gains", gained, lost)];
}

/**
 * Returns the entity that a live value refers to, and its relation to the asset. Returns `undefined` for values that do not refer
 * to an entity.
 */
export function subjectIn(each: Unmanaged): Subject | undefined {
  if (each.facet === undefined) return undefined;
  const { facet, value } = each;
  const { wording } = facetNamed(facet);
  return wording && { about: aboutOf(facet), subject: wording.subjectOf?.(value) ?? keyOf(value) };
}

function aboutOf(facet: FacetChange["facet"]): Edge["about"] {
  const { isOwnership, isPlacement } = facetNamed(facet);
  return isOwnership === true ? "owner" : isPlacement === true ? "home" : "other";
}

/** Returns the entities that the added values refer to, and the entities that the removed values refer to. */
export function subjectsOf(change: FacetChange): Readonly<Record<"gained" | "lost", readonly string[]>> {
  const { wording } = facetNamed(change.facet);
  const { add, remove } = addedAndRemoved(change);
  const [gained = [], lost = []] = [add, remove].map((side) => [
    ...new Set(side.map((value) => wording?.subjectOf?.(value) ?? keyOf(value))),
  ]);
  return { gained, lost };
}
