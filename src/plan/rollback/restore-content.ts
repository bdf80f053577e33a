/** Restores stored content that manifests cannot express: aspects of deleted entities, and fields of removed elements. */

import { aspectsSavedOf } from "../../facets/deleted-aspects.ts";
import { columnOf } from "../../facets/places.ts";
import { storedElementsAdded, withoutStamps } from "../../facets/stored-elements.ts";
import { writesFor } from "../../facets/writes.ts";
import { type Change, type EntityChange, isSetChange, type SetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Place, placeKey } from "../../model/place.ts";
import type { Urn } from "../../model/urn.ts";
import { type RollbackWarning, rollbackWarning } from "./rollback-warning.ts";
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
  const elements = groupBy([...own.flatMap(elementsOf), ...removed.flatMap(keptOf)], ({ key }) => key);
  const full = changes.map((change): Change => {
    const aspects = change.action === "create" ? fields.get(change.urn) : undefined;
    // Each entity's aspects are added to only one change.
    fields.delete(change.urn);
    const put = isSetChange(change) ? withStored(change, elements.get(keyOf(change.urn, change))) : change;
    return aspects && Object.keys(aspects).length > 0 ? { ...put, aspects } : put;
  });
  const tooLarge = own.filter(({ aspects }) => aspects === null);
  return {
    changes: full,
    held: [
      ...tooLarge.map(({ urn, kind }) => rollbackWarning({ urn, kind, because: "too-large" })),
      ...changes.filter(isSetChange).flatMap((change) => tooLargeIn(change, removed)),
    ],
  };
}

function tooLargeIn(
  { urn, kind, add, ...place }: SetChange,
  removed: Written["removed"],
): readonly RollbackWarning[] {
  const isOf = ({ stored, change }: RemovedElements): boolean =>
    stored === null && keyOf(change.urn, change) === keyOf(urn, place);
  if (add.length === 0 || !removed.some(isOf)) return [];
  return [rollbackWarning({ urn, kind, facet: place.facet, column: columnOf(place), because: "too-large" })];
}

/** An element in its stored format, and the key of its place. */
interface StoredElement {
  readonly key: string;
  readonly element: JsonObject;
}

function elementsOf({ urn, values = [] }: EntityChange): readonly StoredElement[] {
  return values.flatMap((value) => (value.elements ? placed(keyOf(urn, value), value.stored) : []));
}

function keptOf({ change, stored }: RemovedElements): readonly StoredElement[] {
  return placed(keyOf(change.urn, change), stored);
}

function placed(key: string, stored: readonly JsonObject[] | null = []): readonly StoredElement[] {
  return (stored ?? []).map((element) => ({ key, element: withoutStamps(element) }));
}

// Returns only the aspects that a rollback may restore, because anyone with push access can push a forged run report.
function knownIn({ kind, aspects }: EntityChange): JsonObject {
  const known = new Set(aspectsSavedOf(kind));
  return Object.fromEntries(Object.entries(aspects ?? {}).filter(([aspect]) => known.has(aspect)));
}

function withStored(change: SetChange, known: readonly StoredElement[] = []): SetChange {
  if (known.length === 0) return change;
  const edits = writesFor(change, "conditional").flatMap(({ request }) =>
    request.type === "proposal" ? (request.edits ?? []) : [],
  );
  const stored = storedElementsAdded(
    known.map(({ element }) => element),
    edits,
  );
  return stored.length === 0 ? change : { ...change, stored };
}

function keyOf(urn: Urn, place: Place): string {
  return `${urn} ${placeKey(place)}`;
}
