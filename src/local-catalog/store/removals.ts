import { draw } from "../draw.ts";
import { entityTypeOfUrn } from "../registry/entity-types.ts";
import type { AspectReads } from "./aspect-reader.ts";
import type { AuditTrail } from "./aspect-store.ts";
import { auditTrail, catalogUser } from "./audit.ts";
import { referringAspects, removeReferences } from "./references.ts";
import type { CatalogState } from "./catalog-state.ts";

/** In how many steps references are removed during the lag. */
const steps = 8;

type References = Pick<AspectReads, "eachContaining">;

/**
 * Removes the references to an entity that is about to be deleted: at once, or little by little over the lag of the catalog, and
 * then from those that the index knows to have one. One that these get meanwhile is removed, too, unless the one before was
 * already (DeleteEntityService.java reads the graph at its start, and runs in the background).
 */
export function removeInTime(
  { store, lag, index }: Pick<CatalogState, "store" | "lag"> & { readonly index: References },
  urn: string,
  audit: AuditTrail,
): void {
  if (lag === 0) {
    removeReferences(store, referringAspects(store, urn), audit);
    return;
  }
  const referrers = new Set<string>();
  index.eachContaining(urn, (referrer) => referrers.add(referrer));
  if (referrers.size > 0) store.keepRemoval({ urn, since: audit.time, done: 0, referrers: [...referrers] });
}

/**
 * Deletes an entity. References to it stay, except the values of a structured property. Returns the number of its aspects
 * (EntityServiceImpl.deleteUrn, PropertyDefinitionDeleteSideEffect.java).
 */
export function deleteKeepingReferences(
  state: Parameters<typeof removeInTime>[0],
  urn: string,
  audit: AuditTrail,
): number {
  return state.store.transaction(() => {
    if (entityTypeOfUrn(urn)?.name === "structuredProperty") removeInTime(state, urn, audit);
    return state.store.deleteEntity(urn);
  });
}

/** Goes on with the removals that are under way, as far as they should be by now. To be called before each request. */
export function continueRemovals({ store, lag, now }: Omit<CatalogState, "index">): void {
  const time = now();
  for (const removal of store.removals()) {
    const { urn, since, done } = removal;
    const referrers = new Set(removal.referrers);
    const due = lag === 0 ? steps : Math.min(steps, Math.floor(((time - since) / lag) * steps));
    if (due <= done) continue;
    const isDue = (referrer: string): boolean =>
      referrers.has(referrer) && stepOf(referrer, urn) > done && stepOf(referrer, urn) <= due;
    store.transaction(() => {
      removeReferences(store, referringAspects(store, urn, isDue), auditTrail(catalogUser, time));
      if (due < steps) store.keepRemoval({ ...removal, done: due });
      else store.endRemoval(urn);
    });
  }
}

// A real server has removed nothing in the first sixth of the time.
function stepOf(referrer: string, urn: string): number {
  return 2 + Math.floor(draw(1, referrer, urn) * (steps - 1));
}
