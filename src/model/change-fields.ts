/** Defines JSON Schemas for the fields of changes, from which `change.ts` derives its types. */

import type { JsonObject } from "./json.ts";
import {
  count,
  described,
  fields,
  keys,
  list,
  member,
  object,
  origin,
  place,
  record,
  scalar,
  text,
  urn,
} from "./schema-parts.ts";
import type { SchemaOf } from "./schema-type.ts";

/** Every drift class, most severe first. */
export const driftClass = { enum: ["changed", "missing", "pending"] } as const;

export const source = record(place, {
  base: described(
    { const: true },
    "The place is in the base commit because the current manifests no longer declare the value.",
  ),
});

/** The fields that describe a writer. The time is in ISO 8601. */
export const written = { actor: text, time: text, lastWriterOfAspect: { const: true } } as const;

export const writtenRecord = record({}, written);

// The agent is the URN of the DataHub component that set the value, such as an action or an ingestion source.
const writerSource = fields(text, "agent", "ingestionRun", "pipeline");

export const writerSourceRecord = record({}, writerSource);

const opponent = { ...written, ...writerSource };

export const opponentRecord = record({}, opponent);

export const fight = record(
  // The number of writes within the configured time, the last write, and the time of the next write (ISO 8601).
  { value: scalar, times: count, ...fields(text, "last", "until") },
  {
    ...opponent,
    // Whether mode `merge` would end the fight: the mode is `authoritative`, and `merge` would keep the opponent's value.
    keptByMerge: { const: true },
  },
);

// The URN is the other end's group. Without a reason, a fight keeps the member in that group.
export const hold = record({ value: member, urn }, { reason: text });

export const removal = record(
  { value: scalar, declaredBefore: { type: ["boolean", "null"] } },
  {
    ...written,
    movesTo: described(
      urn,
      "The entity that the member joins instead. The server allows only one such entity per member, so no mode can keep the member here.",
    ),
    lastApplied: described(
      origin,
      "Where the last applied commit declares the value, if that commit is not in the history of HEAD.",
    ),
  },
);

export const conflict = record(fields(scalar, "base", "live", "desired"), {
  winner: { enum: ["desired", "live"] },
  moved: described(
    { const: true },
    "In a rollback: the value is kept because someone changed it after the run.",
  ),
});

// Covers the listed elements, and all other elements that none of the patterns matches.
export const coverage = record({ elements: list(member), except: list(text) });

export const ownValue = record(
  { facet: text },
  { path: keys, value: scalar, elements: list(member), stored: list(object) },
);

const aspects: SchemaOf<JsonObject | null> = { type: ["object", "null"], additionalProperties: object };

/** The notes on a value change. */
export const valueNotes = {
  // Whether a prune removes the values, because only base declares them.
  pruned: { const: true },
  reverts: described(
    list(scalar),
    "Values that the last applied commit already declares, but that someone else has changed since.",
  ),
  fights: described(
    list(fight),
    "Values that are skipped because someone keeps reverting them: how often they were written, when they were last written, and when the next attempt is.",
  ),
  holds: described(
    list(hold),
    "Members that are not written because an ignore rule or a fight keeps them in a different entity. Each entry has the URN of that entity and the reason.",
  ),
  removed: list(removal),
} as const;

/** A deletion's fields that describe the affected references. */
export const deletionReferences = {
  // The number of live assignments that a deletion removes, if the catalog could count them.
  assignments: count,
  // The entities with these assignments that the catalog names, sorted; empty if there are very many.
  assignedTo: list(urn),
  // For a deletion, sorted hashes of all references to and from the entity, which the fingerprint does not cover.
  references: list({ type: "string", pattern: "^[0-9a-f]{12}$" }),
} as const;

/** A deletion's fields that contain the entity's content, so that a rollback can recreate it. */
export const deletedContent = {
  values: described(
    list(ownValue),
    "In a deletion: the entity's values. `stored` contains the elements that manifests cannot fully express.",
  ),
} as const;

/** The fields of changes other than those that identify them, in the order of the plan schema. */
export const changeFields = {
  // The declaration of the first added or set value; for a removal, the position that no longer declares the first value.
  source,
  // The ids of the rules that caused the change: they declare the values that it adds or sets, no longer
  // declare those that it removes, or alone manage the place.
  rules: list(text),
  ...fields(scalar, "before", "after"),
  ...fields(list(member), "add", "remove"),
  // Present only in a drift plan.
  class: driftClass,
  fallback: described(scalar, "The ingested value that DataHub shows when this value is unset."),
  several: described(
    list(member),
    "All stored values, if several are stored where only one is allowed. `before` combines them into one text.",
  ),
  alsoStoredAt: described(
    text,
    "A second field path under which the column's values are stored. The change also removes them from there.",
  ),
  ...valueNotes,
  conflict,
  ...deletionReferences,
  ...deletedContent,
  aspects: described(
    aspects,
    "Aspect fields that manifests cannot express. A deletion lists the entity's fields (`null` if longer than 100,000 characters). A rollback restores them when it recreates the entity.",
  ),
  stored: described(
    list(object),
    "Elements that a rollback restores exactly as they were stored, because manifests cannot fully express them.",
  ),
  // In trees, the live entities above the new parent, or above a deleted entity, nearest first: the order of
  // operations depends on them.
  above: list(urn),
  // The elements that the fingerprint covers in addition to `add` and `remove`; if absent, all live elements.
  covers: coverage,
} as const;
