/** Restores stored content that manifests cannot express: aspects of deleted entities, and fields of removed elements. */

import { aspectsSavedOf } from "../../facets/deleted-aspects.ts";
import { columnOf } from "../../facets/places.ts";
import { storedElementsAdded, withoutStamps } from "../../facets/stored-elements.ts";
import { writesFor } from "../../facets/writes.ts";
import { type Change, type EntityChange, isSetChange, type SetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { JsonObject } from "../../model/json.ts";
import { type RollbackWarning, rollbackWarning } from "./rollback-warning.ts";
import { placedKey } from "./states.ts";
import type { RemovedElements, Written } from "../base/written.ts";

/** The changes of a rollback with restored content, and warnings about content that cannot be restored. */
interface Restored {
  readonly changes: readonly Change[];
  readonly held: readonly RollbackWarning[];
}

/** Restores the removed content that values do not include: aspects of deleted entities, and fields of removed elements. */
export function restoreExtraAspects(changes: readonly Change[], { deleted, removed }: Written): Restored {
  const again = new Set(changes.flatMap(({ action, urn }) => (action === "create" ? [urn] : [])));
  const own = deleted.filter(({ urn }) => again.has(urn));
  const fields = new Map(own.map((deletion) => [deletion.urn, knownIn(deletion)]));
  const byPlace = removedByPlace(own, removed);
  const removedAt = (change: SetChange): readonly Removed[] =>
    byPlace.get(placedKey(change.urn, change)) ?? [];
  const full = changes.map((change): Change => {
    const aspects = change.action === "create" ? fields.get(change.urn) : undefined;
    // Each entity's aspects are added to only one change.
    fields.delete(change.urn);
    const put = isSetChange(change) ? withStored(change, removedAt(change)) : change;
    return aspects && Object.keys(aspects).length > 0 ? { ...put, aspects } : put;
  });
  const tooLarge = own.filter(({ aspects }) => aspects === null);
  return {
    changes: full,
    held: [
      ...tooLarge.map(({ urn, kind }) => rollbackWarning({ urn, kind, because: "too-large" })),
      ...changes.filter(isSetChange).flatMap((change) => tooLargeIn(change, removedAt(change))),
    ],
  };
}

interface Removed {
  readonly stored: RemovedElements["stored"];
}

/** Returns the elements that were removed from each set, in their stored form and keyed by their place. */
function removedByPlace(
  deletions: readonly EntityChange[],
  removed: Written["removed"],
): ReadonlyMap<string, readonly Removed[]> {
  const ofDeletions = deletions.flatMap(({ urn, values = [] }) =>
    values.flatMap((value) => (value.elements ? [{ urn, place: value, stored: value.stored ?? [] }] : [])),
  );
  const ofSets = removed.map(({ change, stored }) => ({ urn: change.urn, place: change, stored }));
  return groupBy([...ofDeletions, ...ofSets], ({ urn, place }) => placedKey(urn, place));
}

function tooLargeIn(
  { urn, kind, add, ...place }: SetChange,
  removed: readonly Removed[],
): readonly RollbackWarning[] {
  if (add.length === 0 || !removed.some(({ stored }) => stored === null)) return [];
  return [rollbackWarning({ urn, kind, facet: place.facet, column: columnOf(place), because: "too-large" })];
}

// Returns only the aspects that a rollback may restore, because anyone with push access can push a forged run report.
function knownIn({ kind, aspects }: EntityChange): JsonObject {
  const known = new Set(aspectsSavedOf(kind));
  return Object.fromEntries(Object.entries(aspects ?? {}).filter(([aspect]) => known.has(aspect)));
}

function withStored(change: SetChange, removed: readonly Removed[]): SetChange {
  if (removed.length === 0) return change;
  const edits = writesFor(change, "conditional").flatMap(({ request }) =>
    request.type === "proposal" ? (request.edits ?? []) : [],
  );
  const elements = removed.flatMap(({ stored: own }) => own ?? []).map(withoutStamps);
  const stored = storedElementsAdded(elements, edits);
  return stored.length === 0 ? change : { ...change, stored };
}
