/** Defines changes: differences between desired and live state in a single value, a set, or an entire entity. */

import {
  type changeFields,
  type conflict,
  type coverage,
  driftClass,
  type deletedContent,
  type deletionReferences,
  type fight,
  type hold,
  type opponentRecord,
  type ownValue,
  type removal,
  type source,
  type valueNotes,
  type writerSourceRecord,
  type writtenRecord,
} from "./change-fields.ts";
import type { Place } from "./place.ts";
import type { FromSchema } from "./schema-type.ts";
import type { EntityKey, Member, Scalar } from "./state.ts";

/**
 * The reason for a difference: the declaration is not applied yet, or the value is missing or was changed in the catalog. See
 * `src/plan/notes/drift.ts`.
 */
export type DriftClass = FromSchema<typeof driftClass>;

/** All drift classes, most severe first. */
export const driftClasses: readonly DriftClass[] = driftClass.enum;

/** The position in a file from which a change originates. */
export type Source = FromSchema<typeof source>;

/**
 * The writer of a value, and the time of the write (ISO 8601). If `lastWriterOfAspect` is set, this write may have changed only
 * other parts of the aspect.
 */
export type Written = FromSchema<typeof writtenRecord>;

/** The program that wrote a value, if known. */
export type WriterSource = FromSchema<typeof writerSourceRecord>;

/**
 * The writer of a value that differs from the declared value. Includes the agent, the ingestion run and its pipeline, if they are
 * known.
 */
export type Opponent = FromSchema<typeof opponentRecord>;

/**
 * A value that is held back because others kept reverting it. In a set, it is an added or removed element; otherwise, it is
 * `after`.
 */
export type Fight = FromSchema<typeof fight>;

/**
 * A membership that is held back: the member would move to a different group, but the change at the other end of the move is held
 * back.
 */
export type Hold = FromSchema<typeof hold>;

/** A value that a change removes. `declaredBefore` states whether base declares the value; `null` if base is unknown. */
export type Removed = FromSchema<typeof removal>;

/** A single value that someone else changed after base declared it, and the winner of the conflict, if it is already decided. */
export type Conflict = FromSchema<typeof conflict>;

/** A value of an entity in its stored format: a single value, or the elements of a nonempty set. */
export type OwnValue = FromSchema<typeof ownValue>;

/** The place of a value, together with the entity that has the value. */
export interface ValuePlace extends Place, EntityKey {}

type ChangeFields = typeof changeFields;

/** Converts each schema in a mapping to the type that it describes. */
type Having<Schemas> = { readonly [Each in keyof Schemas]: FromSchema<Schemas[Each]> };

type MayHave<Name extends keyof ChangeFields> = { readonly [Each in Name]?: FromSchema<ChangeFields[Each]> };

/** The notes on a change: the fields that `src/plan/notes` adds to a difference. */
interface ChangeNotes extends MayHave<"source" | "rules" | "above" | "class"> {
  /** A hash of the live value that the change is based on. */
  readonly fingerprint: string;
}

interface ChangeBase extends ChangeNotes, EntityKey, MayHave<"aspects"> {
  readonly action: "create" | "update" | "delete";
}

type ValueNotes = Partial<Having<typeof valueNotes>>;

interface FacetChangeBase extends ChangeBase, ValueNotes, MayHave<"alsoStoredAt">, Place {
  /**
   * Whether the values refer to an entity that the plan deletes. Plans show such values as part of the deletion, not as separate
   * changes.
   */
  readonly isReference?: true;
}

/** The fields that a note may add to a change. */
export type NoteFields = Partial<ChangeNotes> & ValueNotes & MayHave<"conflict" | "covers" | "references">;

/** A change to a single value; `null` means "unset". */
export interface ScalarChange extends FacetChangeBase, MayHave<"conflict" | "several" | "fallback"> {
  readonly shape: "scalar";
  readonly before: Scalar;
  readonly after: Scalar;
}

/**
 * The elements that a fingerprint covers: those in `elements`, and all other elements that match none of the patterns in
 * `except`.
 */
export type Coverage = FromSchema<typeof coverage>;

/** The elements that are added to and removed from a set. */
export interface ChangedElements<Element extends Member = Member> {
  readonly add: readonly Element[];
  readonly remove: readonly Element[];
}

/** The changed elements of a set, and the elements that the fingerprint of the change covers. */
export interface CoveredElements<Element extends Member = Member>
  extends ChangedElements<Element>, MayHave<"covers"> {}

/** A change to the elements of a set. */
export interface SetChange<Element extends Member = Member>
  extends FacetChangeBase, CoveredElements<Element>, MayHave<"stored"> {
  readonly shape: "set";
}

/** The content that a deletion removes. A rollback needs it to recreate the entity. */
export interface DeletedContent extends MayHave<"aspects">, Partial<Having<typeof deletedContent>> {}

/** The references that a deletion affects. */
export interface DeletionReferences extends Partial<Having<typeof deletionReferences>> {}

/** The creation of an entity without declared values, or the deletion of an entity. */
export interface EntityChange extends ChangeBase, DeletedContent, DeletionReferences {
  readonly shape: "entity";
  readonly action: "create" | "delete";
  readonly facet?: never;
  readonly path?: never;
  readonly reverts?: never;
}

/** A change to one facet. */
export type FacetChange = ScalarChange | SetChange;

/** A difference between desired and live state. There is at most one change for each place in an entity. */
export type Change = FacetChange | EntityChange;

/** Whether a change affects a facet rather than the entity itself. */
export function isFacetChange(change: Change): change is FacetChange {
  return change.shape !== "entity";
}

/** Restricts a set change to the elements that `keeps` accepts, with their notes. `covers` remains unchanged. */
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

/** Whether a change to a set keeps the elements that others added. */
export function keepsOthers(change: Change): boolean {
  return isSetChange(change) && change.covers?.except.includes("*") === true;
}

/** Whether a change affects a set. */
export function isSetChange(change: Change): change is SetChange {
  return change.shape === "set";
}
