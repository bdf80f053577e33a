import type { JsonObject } from "../../model/json.ts";
import { draw } from "../draw.ts";
import { entityTypeOfUrn } from "../registry/entity-types.ts";
import type { AspectReads } from "./aspect-reader.ts";
import type { AspectStore, AuditTrail } from "./aspect-store.ts";
import { auditTrail, catalogUser } from "./audit.ts";
import { referringAspects, removeReferences, valuesAspect } from "./references.ts";
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

/** The clean-up of some entities after a deletion, and when it is due. */
interface CleanUp {
  readonly removal: ReturnType<AspectStore["removals"]>[number];
  readonly step: number;
  readonly time: number;
  readonly referrers: readonly string[];
}

/** A value that a clean-up has replaced, and when. */
interface Replaced {
  readonly place: string;
  readonly time: number;
  readonly value: JsonObject;
}

/**
 * Returns what goes on with the removals that are under way, as far as they should be by now. To be called before each request.
 * A clean-up reads, changes and writes an aspect without a lock: what another one wrote less than a step before, it has not read.
 */
export function cleanUps({ store, lag, now }: Omit<CatalogState, "index">): () => void {
  let replaced: readonly Replaced[] = [];
  const carryOut = ({ removal, step, time, referrers }: CleanUp): void => {
    const { urn } = removal;
    const among = new Set(referrers);
    replaced = replaced.filter((each) => each.time > time - lag / steps);
    const before = new Map(replaced.toReversed().map(({ place, value }) => [place, value]));
    const referring = referringAspects(store, urn, {
      among: (referrer) => among.has(referrer),
      read: (referrer, aspect, value) => before.get(`${referrer} ${aspect}`) ?? value,
    });
    const written = referring.flatMap((each): readonly Replaced[] => {
      const value = store.valueAt(each.urn, each.aspect, 0);
      // Values of properties are removed by patches, which the server applies under a lock.
      if (!value || each.aspect === valuesAspect) return [];
      return [{ place: `${each.urn} ${each.aspect}`, time, value }];
    });
    replaced = [...replaced, ...written];
    store.transaction(() => {
      removeReferences(store, referring, auditTrail(catalogUser, now()));
      if (step < steps) store.keepRemoval({ ...removal, done: step });
      else store.endRemoval(urn);
    });
  };
  return () => {
    const time = now();
    const due = store.removals().flatMap((removal) => cleanUpsOf(removal, lag, time));
    for (const cleanUp of due.toSorted((a, b) => a.time - b.time)) carryOut(cleanUp);
  };
}

/** The clean-ups of a deletion that are due and not yet done. */
function cleanUpsOf(removal: CleanUp["removal"], lag: number, now: number): readonly CleanUp[] {
  const left = Array.from({ length: steps - removal.done }, (_, index) => {
    const step = removal.done + 1 + index;
    const referrers = removal.referrers.filter((referrer) => stepOf(referrer) === step);
    return { removal, step, time: removal.since + (lag * step) / steps, referrers };
  });
  return left.filter(
    ({ step, time, referrers }) => (lag === 0 || time <= now) && (referrers.length > 0 || step === steps),
  );
}

// A real server has removed nothing in the first sixth of the time, and takes the referrers of each deletion in the same order.
function stepOf(referrer: string): number {
  return 2 + Math.floor(draw(1, referrer) * (steps - 1));
}
