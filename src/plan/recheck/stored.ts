/** Reads, from a stored aspect, the values that a proposal changes. */

import { valueInAspect } from "../../facets/writes.ts";
import { isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { isJsonObject } from "../../model/json.ts";
import type { Live } from "../../model/live.ts";
import type { Operation, Proposal } from "../../model/operation.ts";
import type { FacetValue } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { type CatalogNow, dependenciesOf } from "./verdict.ts";

/**
 * Returns the live state of the values that a proposal changes, read from one stored aspect. `value` is `undefined` if the aspect
 * does not exist.
 */
export function nowStored(
  { changes }: Operation,
  { urn, aspect }: Proposal,
  value: unknown,
  created: ReadonlySet<Urn>,
): CatalogNow {
  const moved = new Set(changes.flatMap((change) => dependenciesOf(change, "conditional")));
  const isNew = changes.some(({ action }) => action === "create") && !created.has(urn);
  const nothing: Live = { state: new Map(), missing: new Map(), unreadable: new Map(), unmanaged: [] };
  if (isNew && value === undefined) {
    return { live: { ...nothing, missing: new Map([[urn, "absent"]]) }, created, moved };
  }
  const stored = isJsonObject(value) ? value : undefined;
  const facets = new Map<string, FacetValue>();
  const byFacet = groupBy(changes.filter(isFacetChange), ({ facet }) => facet);
  for (const [facet, [first, ...others]] of byFacet)
    if (first) facets.set(facet, valueInAspect([first, ...others], aspect, stored));
  const kind = changes[0]?.kind ?? "";
  return { live: { ...nothing, state: new Map([[urn, { urn, kind, facets }]]) }, created, moved };
}
