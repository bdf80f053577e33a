/** Reports definitions that contradict themselves: they allow a value that their own type forbids. */

import type { Definitions } from "../../facets/map-contract.ts";
import { facets as allFacets } from "../../facets/index.ts";
import type { FacetChange } from "../../model/change.ts";
import type { Origin } from "../../model/origin.ts";
import { leavesOf } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import type { EntityKey, Entity } from "../../model/state.ts";

/** Returns problems if a declared definition allows values that its type forbids. No entity could have such a value. */
export function contradictionIn({ urn, kind, facets }: Entity): readonly Problem[] {
  return problemOf({ urn, kind }, facets, (facet) => leavesOf(facets.get(facet))[0]?.[1].origin);
}

/**
 * Checks a definition in its state after the changes. Calls `after` only if a change affects a facet that the check depends on.
 */
export function contradictionAfter(
  changes: readonly FacetChange[],
  after: () => Entity["facets"] | undefined,
): readonly Problem[] {
  const [first] = changes;
  const deciding = first ? (byKind.get(first.kind)?.decidedBy ?? []) : [];
  const [change, ...others] = changes.filter(({ facet }) => deciding.includes(facet));
  const facets = change && after();
  if (!facets) return [];
  return problemOf(
    change,
    facets,
    (facet) => ([change, ...others].find((each) => each.facet === facet) ?? change).source,
  );
}

const byKind: ReadonlyMap<string, Definitions> = new Map(
  allFacets.flatMap((facet) =>
    facet.shape === "map" && facet.definitions ? [[facet.definitions.kind, facet.definitions] as const] : [],
  ),
);

function problemOf(
  { urn, kind }: EntityKey,
  facets: Entity["facets"],
  originOf: (facet: string) => Origin | undefined,
): readonly Problem[] {
  const found = byKind.get(kind)?.contradiction(facets);
  if (!found) return [];
  const { facet: path, ...values } = found;
  const origin = originOf(path);
  return [
    {
      code: "unfit-value",
      severity: "error",
      args: { kind, urn, path, ...values },
      ...(origin && { origin }),
    },
  ];
}
