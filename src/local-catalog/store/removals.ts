/** Deletes entities, and removes the references to them in steps. */

import type { JsonObject } from "../../model/json.ts";
import { draw } from "../draw.ts";
import { entityTypeOfUrn } from "../registry/entity-types.ts";
import type { AspectStore, AuditTrail, EntityReads } from "./aspect-store.ts";
import { auditTrail, catalogUser } from "./audit.ts";
import { referringAspects, removeReferences, valuesAspect } from "./references.ts";
import type { StateOfRequests } from "./catalog-state.ts";

/** The number of steps in which the catalog removes references during the lag. */
const steps = 8;

/** The store, and the index that finds references to a deleted entity. */
interface RemovalState {
  readonly store: AspectStore;
  readonly lag: number;
  readonly index: EntityReads;
}

/**
 * Removes the references to an entity that is about to be deleted. Without a lag, removes all of them immediately. With a lag,
 * schedules steps that remove the references from the referrers in the index. The steps also remove references that are added to
 * a referrer after the deletion but before the referrer's step. This imitates DataHub, which finds the references when the
 * deletion starts and removes them in the background (DeleteEntityService.java).
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
 * Deletes an entity but keeps the references to it. If the entity is a structured property, also removes its values. Returns the
 * number of aspects that the entity had (EntityServiceImpl.deleteUrn, PropertyDefinitionDeleteSideEffect.java).
 */
export function deleteKeepingReferences(state: RemovalState, urn: string, audit: AuditTrail): number {
  return state.store.transaction(() => {
    if (entityTypeOfUrn(urn)?.name === "structuredProperty") scheduleReferenceRemoval(state, urn, audit);
    return state.store.deleteEntity(urn);
  });
}

/** One step of a removal: the time when the step is due, and the entities from which it removes references. */
interface CleanUp {
  readonly removal: ReturnType<AspectStore["removals"]>[number];
  readonly step: number;
  readonly time: number;
  readonly referrers: readonly string[];
}

/** A value that an earlier step replaced, and the time of that step. */
interface Replaced {
  readonly place: string;
  readonly time: number;
  readonly value: JsonObject;
}

/**
 * Returns a function that carries out the steps that are due. Call this function before each request. As in DataHub, a step
 * reads, changes and writes an aspect without a lock. It therefore does not see the writes of a step that ran less than one
 * step's duration earlier.
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
      // Does not record structured property values, because DataHub removes them with patches, which it applies under a lock.
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

// A real server removes nothing during the first sixth of the delay, and handles referrers in the same order for every deletion.
function stepOf(referrer: string): number {
  return 2 + Math.floor(draw(1, referrer) * (steps - 1));
}
