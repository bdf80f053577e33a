import { facetNamed } from "../../facets/index.ts";
import type { FacetChange } from "../../model/change.ts";
import type { Unmanaged } from "../../model/plan.ts";
import { sidesOf } from "./lines.ts";
import { keyOf } from "./values.ts";

/** That the entity which a value names gets or loses an asset. */
export interface Edge {
  readonly way: "gains" | "loses";
  readonly about: "owner" | "home" | "other";
  readonly subject: string;
  readonly change: FacetChange;
}

/** The edges that a change adds and removes. A subject on both sides, with another role, has none. */
export function edgesOf(change: FacetChange): readonly Edge[] {
  if (!facetNamed(change.facet).wording) return [];
  const about = aboutOf(change.facet);
  const { gained, lost } = subjectsOf(change);
  const edges = (way: Edge["way"], own: readonly string[], others: readonly string[]): readonly Edge[] =>
    own.filter((each) => !others.includes(each)).map((subject) => ({ way, about, subject, change }));
  return [...edges("loses", lost, gained), ...edges("gains", gained, lost)];
}

/** The entity that a live value names, with what it is to the asset; nothing for other values. */
export function subjectIn(each: Unmanaged): Pick<Edge, "about" | "subject"> | undefined {
  if (each.facet === undefined) return undefined;
  const { facet, value } = each;
  const { wording } = facetNamed(facet);
  return wording && { about: aboutOf(facet), subject: wording.subjectOf?.(value) ?? keyOf(value) };
}

function aboutOf(facet: FacetChange["facet"]): Edge["about"] {
  const { isOwnership, isPlacement } = facetNamed(facet);
  return isOwnership === true ? "owner" : isPlacement === true ? "home" : "other";
}

/** Whom a change adds and takes away. */
export function subjectsOf(change: FacetChange): Readonly<Record<"gained" | "lost", readonly string[]>> {
  const { wording } = facetNamed(change.facet);
  const { add, remove } = sidesOf(change);
  const [gained = [], lost = []] = [add, remove].map((side) => [
    ...new Set(side.map((value) => wording?.subjectOf?.(value) ?? keyOf(value))),
  ]);
  return { gained, lost };
}
