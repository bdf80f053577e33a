/** The differences between desired and live state: of a single value, a set, or a complete entity. */

import type { JsonObject } from "./json.ts";
import type { Place } from "./place.ts";
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
import type { FromSchema, SchemaOf } from "./schema-type.ts";
import type { KindName, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** The reason for a difference: not applied yet, missing in the catalog, or changed there. See `src/plan/notes/drift.ts`. */
export type DriftClass = "pending" | "missing" | "changed";

/** Every class, most severe first. */
export const driftClasses: readonly DriftClass[] = ["changed", "missing", "pending"];

const source = record(place, {
  base: described(
    { const: true },
    "It is a place in the base commit, because nothing at hand declares any more what goes.",
  ),
});

/** The place that a change comes from. */
export type Source = FromSchema<typeof source>;

/** The fields of a writer: the time is in ISO 8601. */
export const written = { actor: text, time: text, lastWriterOfAspect: { const: true } } as const;

const writtenRecord = record({}, written);

/** The writer of a value, and the time (ISO 8601); with `lastWriterOfAspect` the last writer of its aspect. */
export type Written = FromSchema<typeof writtenRecord>;

// The agent is the URN of the part of DataHub that set the value, such as an action or an ingestion source.
const opponent = { ...written, ...fields(text, "agent", "ingestionRun", "pipeline") };

const opponentRecord = record({}, opponent);

/**
 * The writer of a value that differs from the declared one, with the ingestion run, its pipeline and the agent, if known.
 */
export type Opponent = FromSchema<typeof opponentRecord>;

const fight = record(
  // The number of writes within the time in the settings, the last write, and the time of the next write (ISO 8601).
  { value: scalar, times: count, ...fields(text, "last", "until") },
  {
    ...opponent,
    // Whether mode `merge` would end the fight: the mode is `authoritative`, and `merge` would keep the value of the others.
    keptByMerge: { const: true },
  },
);

/**
 * A value that is not written for now, because others changed it back after each of many writes. In a set it is an added or removed
 * element, otherwise `after`.
 */
export type Fight = FromSchema<typeof fight>;

// The URN is that of the group at the other end. Without a reason, a fight keeps the member there.
const hold = record({ value: member, urn }, { reason: text });

/**
 * An edge that is not written for now: the member would move to another group, and the edge at the other end of this move does not
 * change.
 */
export type Hold = FromSchema<typeof hold>;

const removal = record(
  { value: scalar, declaredBefore: { type: ["boolean", "null"] } },
  {
    ...written,
    movesTo: described(
      urn,
      "The group that the member joins instead: the server lets it be in one, so no mode keeps it here.",
    ),
    lastApplied: described(
      origin,
      "Where the last applied commit declares the value, if HEAD does not have that commit in its history.",
    ),
  },
);

/** A value that a change removes. `declaredBefore`: whether base declares it, `null` if base is unknown. */
export type Removed = FromSchema<typeof removal>;

/** The place of a value, and the entity that has it. */
export interface ValuePlace extends Place {
  readonly kind: KindName;
  readonly urn: Urn;
}

const conflict = record(fields(scalar, "base", "live", "desired"), {
  winner: { enum: ["desired", "live"] },
  moved: described(
    { const: true },
    "Of a rollback: somebody changed what the run had left. It stays as it is.",
  ),
});

/** A single value that someone else changed since base declared it, and the winning side, if decided. */
export type Conflict = FromSchema<typeof conflict>;

// Listed elements, and all others except those that one of the patterns covers.
const coverage = record({ elements: list(member), except: list(text) });

const ownValue = record(
  { facet: text },
  { path: keys, value: scalar, elements: list(member), stored: list(object) },
);

/** A single value that an entity has, or the elements of a set that is not empty, with their stored form. */
export type OwnValue = FromSchema<typeof ownValue>;

const aspects: SchemaOf<JsonObject | null> = { type: ["object", "null"], additionalProperties: object };

/** The fields of changes other than those that identify them, in the order of the schema of plans. */
export const changeFields = {
  // The declaration of the first value that is added or set; for a removal, the place that no longer declares the first value.
  source,
  // The ids of the rules that caused it: they declare the values that it adds or sets, no longer declare those that it removes, or
  // alone manage the place.
  rules: list(text),
  ...fields(scalar, "before", "after"),
  ...fields(list(member), "add", "remove"),
  // Only in a plan of drift.
  class: { enum: driftClasses },
  fallback: described(scalar, "What the catalog shows when the value is unset, because ingestion wrote it."),
  several: described(
    list(member),
    "All values that are stored in the place of a single one. `before` is a text of them.",
  ),
  alsoStoredAt: described(
    text,
    "The second path under which values of a column are stored. The change removes them there as well.",
  ),
  // Whether a prune removes the values, because only base declares them.
  pruned: { const: true },
  reverts: described(
    list(scalar),
    "The values that the last applied commit declares, too: somebody else has changed them since.",
  ),
  fights: described(
    list(fight),
    "The values that are not written, because others set them back again and again: how often and when last they were written, and from when on they are written again.",
  ),
  holds: described(
    list(hold),
    "The members that are not written, because the other end of their move to another group stays as it is: the group there, and the reason of the ignore rule that keeps them there.",
  ),
  removed: list(removal),
  conflict,
  // The number of live assignments that a deletion removes, if the catalog could count them.
  assignments: count,
  // The entities with these assignments that the catalog names, sorted; it names none if there are very many.
  assignedTo: list(urn),
  // For a deletion, sorted hashes of all references to and from the entity, which the fingerprint does not cover.
  references: list({ type: "string", pattern: "^[0-9a-f]{12}$" }),
  values: described(
    list(ownValue),
    "Of a deletion, what the entity has. `stored` are elements of which more is stored than manifests can express.",
  ),
  aspects: described(
    aspects,
    "Fields of aspects that manifests cannot express. Of a deletion, what the entity has: `null` if that is more than 100,000 characters. Of a creation in a rollback, what it puts back.",
  ),
  stored: described(
    list(object),
    "Elements that a rollback adds as they were stored, which is more than manifests can express.",
  ),
  // In trees, the live entities above the new parent, or above a deleted entity, nearest first: the order of operations depends on
  // them.
  above: list(urn),
  // The elements that the fingerprint covers in addition to `add` and `remove`; if absent, all live elements.
  covers: coverage,
} as const;

type ChangeFields = typeof changeFields;

/** Fields of changes, each with the type of its schema. */
type Having<Name extends keyof ChangeFields> = { readonly [Each in Name]: FromSchema<ChangeFields[Each]> };

type MayHave<Name extends keyof ChangeFields> = Partial<Having<Name>>;

/** The notes of any change: what `src/plan/notes` adds to a difference. */
interface ChangeNotes extends MayHave<"source" | "rules" | "above" | "class"> {
  /** A hash of the live value that the change was computed from. */
  readonly fingerprint: string;
}

interface ChangeBase extends ChangeNotes, MayHave<"aspects"> {
  readonly action: "create" | "update" | "delete";
  readonly kind: KindName;
  readonly urn: Urn;
}

/** The notes of a change of values. */
type ValueNotes = MayHave<"pruned" | "removed" | "reverts" | "fights" | "holds">;

interface FacetChangeBase extends ChangeBase, ValueNotes, MayHave<"alsoStoredAt">, Place {
  /** Whether the values are references to an entity that the plan deletes. They are shown with the deletion, not as a change. */
  readonly isReference?: true;
}

/** The fields that one note may add to a change. */
export type NoteFields = Partial<ChangeNotes> & ValueNotes & MayHave<"conflict" | "covers" | "references">;

/** A change of one value to another; `null` is "unset". */
export interface ScalarChange
  extends FacetChangeBase, Having<"before" | "after">, MayHave<"conflict" | "several" | "fallback"> {
  readonly shape: "scalar";
}

/** Listed elements, and all others except those that one of the patterns covers. */
export type Coverage = FromSchema<typeof coverage>;

/** Members that a set gains and loses. */
export interface SetChange<Element extends Member = Member>
  extends FacetChangeBase, MayHave<"covers" | "stored"> {
  readonly shape: "set";
  readonly add: readonly Element[];
  readonly remove: readonly Element[];
}

/** A new entity that declares nothing but its identity, or a deleted entity. */
export interface EntityChange
  extends ChangeBase, MayHave<"assignments" | "assignedTo" | "references" | "values"> {
  readonly shape: "entity";
  readonly action: "create" | "delete";
  readonly facet?: never;
  readonly path?: never;
  readonly reverts?: never;
}

/** A change of one facet. */
export type FacetChange = ScalarChange | SetChange;

/** One difference between desired and live state: at most one for each place of an entity. */
export type Change = FacetChange | EntityChange;

/** Whether a change concerns a facet, not the entity itself. */
export function isFacetChange(change: Change): change is FacetChange {
  return change.shape !== "entity";
}

/** A change restricted to elements of its set, with their details; its `covers` stays the same. */
export function withElements(change: SetChange, keeps: (value: Member | Scalar) => boolean): SetChange {
  const { removed = [], reverts = [], fights = [], holds = [], ...rest } = change;
  const ownRemoved = removed.filter(({ value }) => keeps(value));
  const ownReverts = reverts.filter(keeps);
  const ownFights = fights.filter(({ value }) => keeps(value));
  const ownHolds = holds.filter(({ value }) => keeps(value));
  return {
    ...rest,
    add: change.add.filter(keeps),
    remove: change.remove.filter(keeps),
    ...(ownRemoved.length > 0 && { removed: ownRemoved }),
    ...(ownReverts.length > 0 && { reverts: ownReverts }),
    ...(ownFights.length > 0 && { fights: ownFights }),
    ...(ownHolds.length > 0 && { holds: ownHolds }),
  };
}

/** Whether a change of a set keeps the elements that others added. */
export function keepsOthers(change: Change): boolean {
  return isSetChange(change) && change.covers?.except.includes("*") === true;
}

/** Whether a change is a change of a set. */
export function isSetChange(change: Change): change is SetChange {
  return change.shape === "set";
}
