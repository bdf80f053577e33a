import { facetNamed } from "../../facets/index.ts";
import type { FacetChange } from "../../model/change.ts";
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
  const { wording, isOwnership, isPlacement } = facetNamed(change.facet);
  if (!wording) return [];
  const about = isOwnership === true ? "owner" : isPlacement === true ? "home" : "other";
  const { gained, lost } = subjectsOf(change);
  const edges = (way: Edge["way"], own: readonly string[], others: readonly string[]): readonly Edge[] =>
    own.filter((each) => !others.includes(each)).map((subject) => ({ way, about, subject, change }));
  return [...edges("loses", lost, gained), ...edges("gains", gained, lost)];
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
