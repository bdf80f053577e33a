/** Deletes entities, and removes the references to them in steps. */

import type { JsonObject } from "../../model/json.ts";
import { draw } from "../draw.ts";
import { entityTypeOfUrn } from "../registry/entity-types.ts";
import type { ReferenceReads, AspectStore, AuditTrail } from "./aspect-store.ts";
import { auditTrail, catalogUser } from "./audit.ts";
import { referringAspects, removeReferences, valuesAspect } from "./references.ts";
import type { StateOfRequests } from "./catalog-state.ts";

/** During the lag, the catalog removes references in this many steps. */
const steps = 8;

/** The store, and the index that finds references to a deleted entity. */
interface RemovalState {
  readonly store: AspectStore;
  readonly lag: number;
  readonly index: ReferenceReads;
}

/**
 * Removes the references to an entity that is about to be deleted. Without a lag, removes all of them immediately. With a lag,
 * removes them in steps, from the referrers that the index knows. This includes references that a referrer gets after the deletion
 * but before its step (DeleteEntityService.java reads the graph at its start, and runs in the background).
 */
export function scheduleReferenceRemoval(
  { store, lag, index }: RemovalState,
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
 * Deletes an entity but keeps the references to it, except for a structured property's values. Returns how many aspects the entity
 * had (EntityServiceImpl.deleteUrn, PropertyDefinitionDeleteSideEffect.java).
 */
export function deleteKeepingReferences(
  state: Parameters<typeof scheduleReferenceRemoval>[0],
  urn: string,
  audit: AuditTrail,
): number {
  return state.store.transaction(() => {
    if (entityTypeOfUrn(urn)?.name === "structuredProperty") scheduleReferenceRemoval(state, urn, audit);
    return state.store.deleteEntity(urn);
  });
}

/** One step of a removal: the entities whose references it removes, and the time when it is due. */
interface CleanUp {
  readonly removal: ReturnType<AspectStore["removals"]>[number];
  readonly step: number;
  readonly time: number;
  readonly referrers: readonly string[];
}

/** A value that an earlier step replaced, and the time when it did. */
interface Replaced {
  readonly place: string;
  readonly time: number;
  readonly value: JsonObject;
}

/**
 * Returns a function that carries out the steps that are due. Call it before each request. A step reads, changes and writes an
 * aspect without a lock, so it overlooks what another step wrote less than one step's duration ago.
 */
export function cleanUps({ store, lag, now }: StateOfRequests): () => void {
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
      // Patches remove the values of structured properties, and the server applies patches under a lock.
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

/** Returns the steps of a removal that are due and not yet done. */
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

// A real server removes nothing in the first sixth of the time, and handles each deletion's referrers in the same order.
function stepOf(referrer: string): number {
  return 2 + Math.floor(draw(1, referrer) * (steps - 1));
}
