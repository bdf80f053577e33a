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

/** All drift classes, most severe first. */
export const driftClass = { enum: ["changed", "missing", "pending"] } as const;

export const source = record(place, {
  base: described(
    { const: true },
    "`true` if the position refers to the base commit, because the current manifests no longer declare the value.",
  ),
});

/** The fields that describe who last wrote a value, and when (in ISO 8601). */
export const written = { actor: text, time: text, lastWriterOfAspect: { const: true } } as const;

export const writtenRecord = record({}, written);

// `agent` is the URN of the DataHub component that set the value, such as an action or an ingestion source.
const writerSource = fields(text, "agent", "ingestionRun", "pipeline");

export const writerSourceRecord = record({}, writerSource);

const opponent = { ...written, ...writerSource };

export const opponentRecord = record({}, opponent);

export const fight = record(
  // `times` is the number of writes within the configured period. `last` is the time of the last write, and `until` is the time
  // of the next attempt (both in ISO 8601).
  { value: scalar, times: count, ...fields(text, "last", "until") },
  {
    ...opponent,
    // Whether switching from `authoritative` mode to `merge` would end the fight by keeping the opponent's value.
    keptByMerge: { const: true },
  },
);

// `urn` is the group at the other end of the move. If `reason` is absent, a fight holds back the change to that group.
export const hold = record({ value: member, urn }, { reason: text });

export const removal = record(
  { value: scalar, declaredBefore: { type: ["boolean", "null"] } },
  {
    ...written,
    movesTo: described(
      urn,
      "The entity that the member moves to. The server allows a member to belong to only one entity of this kind, so it is removed from this one in every mode.",
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
    "In a rollback: `true` if the value is kept because someone changed it after the run.",
  ),
});

// The elements that a fingerprint covers: those in `elements`, and all other elements that match none of the patterns in
// `except`.
export const coverage = record({ elements: list(member), except: list(text) });

export const ownValue = record(
  { facet: text },
  { path: keys, value: scalar, elements: list(member), stored: list(object) },
);

const aspects: SchemaOf<JsonObject | null> = { type: ["object", "null"], additionalProperties: object };

/** The notes on a value change. */
export const valueNotes = {
  // Whether a prune removes the values because they are declared only in base.
  pruned: { const: true },
  reverts: described(
    list(scalar),
    "Values that the last applied commit already declares, but that someone else has changed since.",
  ),
  fights: described(
    list(fight),
    "Values that are skipped because someone keeps reverting them. Each entry has the number of writes, the time of the last write, and the time of the next attempt.",
  ),
  holds: described(
    list(hold),
    "Members whose move is held back because an ignore rule or a fight applies to their membership in a different entity. Each entry has the URN of that entity and, for an ignore rule, its reason.",
  ),
  removed: list(removal),
} as const;

/** The fields of a deletion that describe the affected references. */
export const deletionReferences = {
  // The number of live assignments that a deletion removes, if the catalog could count them.
  assignments: count,
  // The entities whose assignments a deletion removes, sorted; empty if there are too many to list.
  assignedTo: list(urn),
  // For a deletion, sorted hashes of all references to and from the entity. The fingerprint does not cover them.
  references: list({ type: "string", pattern: "^[0-9a-f]{12}$" }),
} as const;

/** The fields of a deletion that store the content of the entity, so that a rollback can recreate it. */
export const deletedContent = {
  values: described(
    list(ownValue),
    "In a deletion: the entity's values. `stored` contains the elements that manifests cannot fully express.",
  ),
} as const;

/** All fields of a change except those that identify the change, in the order of the plan schema. */
export const changeFields = {
  // The position where the first added or set value is declared. For a removal, the position where the first removed value used
  // to be declared.
  source,
  // The ids of the rules that caused the change: those that declare the added or set values, those that no longer declare the
  // removed values, or those that manage the place if no document does.
  rules: list(text),
  ...fields(scalar, "before", "after"),
  ...fields(list(member), "add", "remove"),
  // Present only in a drift plan.
  class: driftClass,
  fallback: described(scalar, "The ingested value that DataHub shows when this value is unset."),
  several: described(
    list(member),
    "All stored values, if several are stored where only one is allowed. `before` combines them into one string.",
  ),
  alsoStoredAt: described(
    text,
    "A second field path under which the column's values are stored. The change also removes the values from that path.",
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
  // In a hierarchy, the live ancestors of the new parent or of a deleted entity, nearest first. The order of operations depends
  // on them.
  above: list(urn),
  // The elements that the fingerprint covers besides `add` and `remove`. If absent, the fingerprint covers all live elements.
  covers: coverage,
} as const;
