import { draw } from "../draw.ts";
import type { AspectReads } from "./aspect-reader.ts";
import type { AuditTrail } from "./aspect-store.ts";
import { auditTrail, catalogUser } from "./audit.ts";
import { removeReferences } from "./references.ts";
import type { CatalogState } from "./catalog-state.ts";

/** How often references are removed while a deletion is followed. */
const steps = 8;

/**
 * Removes the references to an entity that is about to be deleted: at once, or little by little over the lag of the catalog, and
 * then from those that the index knows to have one. One that these get meanwhile is removed, too, unless the one before was
 * already (DeleteEntityService.java reads the graph at its start, and runs in the background).
 */
export function removeInTime(
  {
    store,
    lag,
    index,
  }: Pick<CatalogState, "store" | "lag"> & { readonly index: Pick<AspectReads, "eachContaining"> },
  urn: string,
  audit: AuditTrail,
): void {
  if (lag === 0) {
    removeReferences(store, urn, audit);
    return;
  }
  const holders = new Set<string>();
  index.eachContaining(urn, (holder) => holders.add(holder));
  if (holders.size > 0) store.keepRemoval({ urn, since: audit.time, done: 0, holders: [...holders] });
}

/** Goes on with the removals that are under way, as far as they should be by now. To be called before each request. */
export function continueRemovals({ store, lag, now }: Omit<CatalogState, "index">): void {
  const time = now();
  for (const removal of store.removals()) {
    const { urn, since, done } = removal;
    const holders = new Set(removal.holders);
    const due = lag === 0 ? steps : Math.min(steps, Math.floor(((time - since) / lag) * steps));
    if (due <= done) continue;
    const isDue = (holder: string): boolean =>
      holders.has(holder) && stepOf(holder, urn) > done && stepOf(holder, urn) <= due;
    store.transaction(() => {
      removeReferences(store, urn, auditTrail(catalogUser, time), { of: isDue });
      if (due < steps) store.keepRemoval({ ...removal, done: due });
      else store.endRemoval(urn);
    });
  }
}

// A real server has removed nothing in the first sixth of the time.
function stepOf(holder: string, urn: string): number {
  return 2 + Math.floor(draw(1, holder, urn) * (steps - 1));
}
