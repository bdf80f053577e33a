import { facetNamed, writesFor } from "../../facets/index.ts";
import { type FacetChange, isFacetChange } from "../../model/change.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Live } from "../../model/live.ts";
import type { Operation, Proposal } from "../../model/operation.ts";
import type { FacetValue } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { type Now, wayUp } from "./verdict.ts";

/**
 * What one aspect holds now of what a proposal changes; `undefined` where there is no such aspect. It tells nothing of other
 * entities and other aspects: those were looked at before.
 */
export function nowStored(
  { changes }: Operation,
  { urn, aspect }: Proposal,
  value: unknown,
  created: ReadonlySet<Urn>,
): Now {
  const placed = new Set(changes.flatMap(wayUp));
  const isNew = changes.some(({ action }) => action === "create") && !created.has(urn);
  const nothing: Live = { state: new Map(), missing: new Map(), unreadable: new Map(), unmanaged: [] };
  if (isNew && value === undefined) {
    return { live: { ...nothing, missing: new Map([[urn, "absent"]]) }, created, placed };
  }
  const answered: JsonObject = { aspects: isJsonObject(value) ? { [aspect]: value } : {} };
  const tellsOf = (change: FacetChange): boolean =>
    writesFor(change).some(({ request }) => request.type === "proposal" && request.aspect === aspect);
  const facets = changes
    .filter(isFacetChange)
    .filter(tellsOf)
    .map(({ facet, kind }): [string, FacetValue] => [facet, facetNamed(facet).observe(answered, kind).value]);
  const kind = changes[0]?.kind ?? "";
  return {
    live: { ...nothing, state: new Map([[urn, { urn, kind, facets: new Map(facets) }]]) },
    created,
    placed,
    tellsOf,
  };
}
