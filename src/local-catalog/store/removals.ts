import { draw } from "../draw.ts";
import type { AuditTrail } from "./aspect-store.ts";
import { auditTrail, catalogUser } from "./audit.ts";
import { removeReferences } from "./references.ts";
import type { CatalogState } from "./catalog-state.ts";

/** How often references are removed while a deletion is followed. */
const steps = 8;

/**
 * Removes the references to a deleted entity: at once, or little by little over the lag of the catalog. A reference that is made
 * meanwhile is removed too, unless that of the same entity was removed before (DeleteEntityService runs in the background).
 */
export function removeInTime(
  { store, lag }: Pick<CatalogState, "store" | "lag">,
  urn: string,
  audit: AuditTrail,
): void {
  if (lag === 0) removeReferences(store, urn, audit);
  else store.keepRemoval({ urn, since: audit.time, done: 0 });
}

/** Goes on with the removals that are under way, as far as they should be by now. To be called before each request. */
export function continueRemovals({ store, lag, now }: Omit<CatalogState, "index">): void {
  const time = now();
  for (const removal of store.removals()) {
    const { urn, since, done } = removal;
    const due = lag === 0 ? steps : Math.min(steps, Math.floor(((time - since) / lag) * steps));
    if (due <= done) continue;
    const isDue = (holder: string): boolean => stepOf(holder, urn) > done && stepOf(holder, urn) <= due;
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
