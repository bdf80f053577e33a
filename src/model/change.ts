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
import type { EntityKey, Member, Scalar } from "./state.ts";

/** The reason for a difference: not applied yet, missing in the catalog, or changed there. See `src/plan/notes/drift.ts`. */
export type DriftClass = "pending" | "missing" | "changed";

/** Every class, most severe first. */
export const driftClasses: readonly DriftClass[] = ["changed", "missing", "pending"];

const source = record(place, {
  base: described(
    { const: true },
    "The place is in the base commit, because the current manifests no longer declare the value.",
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
const writerSource = fields(text, "agent", "ingestionRun", "pipeline");

const writerSourceRecord = record({}, writerSource);

/** The program that wrote a value, as far as it is known. */
export type WriterSource = FromSchema<typeof writerSourceRecord>;

const opponent = { ...written, ...writerSource };

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
      "The entity that the member joins instead. The server allows only one, so no mode keeps the member here.",
    ),
    lastApplied: described(
      origin,
      "Where the last applied commit declares the value, if that commit is not in the history of HEAD.",
    ),
  },
);

/** A value that a change removes. `declaredBefore`: whether base declares it, `null` if base is unknown. */
export type Removed = FromSchema<typeof removal>;

/** The place of a value, and the entity that has it. */
export interface ValuePlace extends Place, EntityKey {}

const conflict = record(fields(scalar, "base", "live", "desired"), {
  winner: { enum: ["desired", "live"] },
  moved: described({ const: true }, "In a rollback: someone changed the value after the run, so it is kept."),
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
  fallback: described(scalar, "The ingested value that DataHub shows when this value is unset."),
  several: described(
    list(member),
    "All values, if several are stored where only one belongs. `before` shows them as one text.",
  ),
  alsoStoredAt: described(
    text,
    "A second field path under which values of the column are stored. The change removes them there, too.",
  ),
  // Whether a prune removes the values, because only base declares them.
  pruned: { const: true },
  reverts: described(
    list(scalar),
    "Values that the last applied commit declares as well. Someone else has changed them since.",
  ),
  fights: described(
    list(fight),
    "Values that are skipped because others keep reverting them: how often and when they were last written, and when they will be written again.",
  ),
  holds: described(
    list(hold),
    "Members that are not written because they must stay in another entity: its URN, and the reason of the ignore rule that keeps them there.",
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
    "In a deletion: the values of the entity. `stored` has the elements that manifests cannot fully express.",
  ),
  aspects: described(
    aspects,
    "Fields of aspects that manifests cannot express. A deletion lists those of the entity (`null` if longer than 100,000 characters). In a rollback, a creation restores them.",
  ),
  stored: described(
    list(object),
    "Elements that a rollback restores as they were stored, because manifests cannot fully express them.",
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

interface ChangeBase extends ChangeNotes, EntityKey, MayHave<"aspects"> {
  readonly action: "create" | "update" | "delete";
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

/** The elements that a set gains and loses. */
export interface ChangedElements<Element extends Member = Member> {
  readonly add: readonly Element[];
  readonly remove: readonly Element[];
}

/** The changed elements of a set, and the elements that the fingerprint of the change covers. */
export interface CoveredElements<Element extends Member = Member>
  extends ChangedElements<Element>, MayHave<"covers"> {}

/** Members that a set gains and loses. */
export interface SetChange<Element extends Member = Member>
  extends FacetChangeBase, CoveredElements<Element>, MayHave<"stored"> {
  readonly shape: "set";
}

/** The content that a deletion removes, so that a rollback can recreate the entity. */
export interface DeletedContent extends MayHave<"aspects" | "values"> {}

/** The references that a deletion concerns. */
export interface DeletionReferences extends MayHave<"assignments" | "assignedTo" | "references"> {}

/** A new entity that declares nothing but its identity, or a deleted entity. */
export interface EntityChange extends ChangeBase, DeletedContent, DeletionReferences {
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
