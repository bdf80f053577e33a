import { aspectsKeptOf } from "../../facets/deleted-aspects.ts";
import { addedAmong, withoutStamps } from "../../facets/stored-elements.ts";
import { writesFor } from "../../facets/writes.ts";
import { type Change, type EntityChange, isSetChange } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Place, placeKey } from "../../model/place.ts";
import type { Urn } from "../../model/urn.ts";
import { type Held, heldBack } from "./held.ts";

/** The changes of a rollback with what else is put back, and what else cannot be. */
interface WithBeside {
  readonly changes: readonly Change[];
  readonly held: readonly Held[];
}

/** Adds to the changes that make entities again what the run deleted with them beside their values. */
export function withBeside(changes: readonly Change[], deleted: readonly EntityChange[]): WithBeside {
  const again = new Set(changes.flatMap(({ action, urn }) => (action === "create" ? [urn] : [])));
  const own = deleted.filter(({ urn }) => again.has(urn));
  const fields = new Map(own.map((deletion) => [deletion.urn, knownIn(deletion)]));
  const elements = new Map(
    own.flatMap(({ urn, values = [] }) =>
      values.flatMap((value) =>
        value.elements && value.stored ? [[keyOf(urn, value), value.stored.map(withoutStamps)] as const] : [],
      ),
    ),
  );
  const full = changes.map((change): Change => {
    const aspects = change.action === "create" ? fields.get(change.urn) : undefined;
    // Once for each entity.
    fields.delete(change.urn);
    const put = withStored(change, elements);
    return aspects && Object.keys(aspects).length > 0 ? { ...put, aspects } : put;
  });
  const tooLarge = own.filter(({ aspects }) => aspects === null);
  return {
    changes: full,
    held: tooLarge.map(({ urn, kind }) => heldBack({ urn, kind, because: "too-large" })),
  };
}

// Whoever can push can push a run: nothing else is written.
function knownIn({ kind, aspects }: EntityChange): JsonObject {
  const known = new Set(aspectsKeptOf(kind));
  return Object.fromEntries(Object.entries(aspects ?? {}).filter(([aspect]) => known.has(aspect)));
}

function withStored(change: Change, elements: ReadonlyMap<string, readonly JsonObject[]>): Change {
  const known = isSetChange(change) ? elements.get(keyOf(change.urn, change)) : undefined;
  if (!known || !isSetChange(change)) return change;
  const edits = writesFor(change, "conditional").flatMap(({ request }) =>
    request.type === "proposal" ? (request.edits ?? []) : [],
  );
  const stored = addedAmong(known, edits);
  return stored.length === 0 ? change : { ...change, stored };
}

function keyOf(urn: Urn, place: Place): string {
  return `${urn} ${placeKey(place)}`;
}
