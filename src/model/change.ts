/** The differences between desired and live state: of a single value, a set, or a complete entity. */

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

/** The reason for a difference: not applied yet, missing in the catalog, or changed there. See `src/plan/notes/drift.ts`. */
export type DriftClass = FromSchema<typeof driftClass>;

/** Every class, most severe first. */
export const driftClasses: readonly DriftClass[] = driftClass.enum;

/** The place that a change comes from. */
export type Source = FromSchema<typeof source>;

/** The writer of a value, and the time (ISO 8601); with `lastWriterOfAspect` the last writer of its aspect. */
export type Written = FromSchema<typeof writtenRecord>;

/** The program that wrote a value, as far as it is known. */
export type WriterSource = FromSchema<typeof writerSourceRecord>;

/**
 * The writer of a value that differs from the declared one, with the ingestion run, its pipeline and the agent, if known.
 */
export type Opponent = FromSchema<typeof opponentRecord>;

/**
 * A value that is not written for now, because others changed it back after each of many writes. In a set it is an added or removed
 * element, otherwise `after`.
 */
export type Fight = FromSchema<typeof fight>;

/**
 * An edge that is not written for now: the member would move to another group, and the edge at the other end of this move does not
 * change.
 */
export type Hold = FromSchema<typeof hold>;

/** A value that a change removes. `declaredBefore`: whether base declares it, `null` if base is unknown. */
export type Removed = FromSchema<typeof removal>;

/** A single value that someone else changed since base declared it, and the winning side, if decided. */
export type Conflict = FromSchema<typeof conflict>;

/** A single value that an entity has, or the elements of a set that is not empty, with their stored form. */
export type OwnValue = FromSchema<typeof ownValue>;

/** The place of a value, and the entity that has it. */
export interface ValuePlace extends Place, EntityKey {}

type ChangeFields = typeof changeFields;

/** Fields with the types of their schemas. */
type Having<Schemas> = { readonly [Each in keyof Schemas]: FromSchema<Schemas[Each]> };

type MayHave<Name extends keyof ChangeFields> = { readonly [Each in Name]?: FromSchema<ChangeFields[Each]> };

/** The notes of any change: what `src/plan/notes` adds to a difference. */
interface ChangeNotes extends MayHave<"source" | "rules" | "above" | "class"> {
  /** A hash of the live value that the change was computed from. */
  readonly fingerprint: string;
}

interface ChangeBase extends ChangeNotes, EntityKey, MayHave<"aspects"> {
  readonly action: "create" | "update" | "delete";
}

/** The notes of a change of values. */
type ValueNotes = Partial<Having<typeof valueNotes>>;

interface FacetChangeBase extends ChangeBase, ValueNotes, MayHave<"alsoStoredAt">, Place {
  /** Whether the values are references to an entity that the plan deletes. They are shown with the deletion, not as a change. */
  readonly isReference?: true;
}

/** The fields that one note may add to a change. */
export type NoteFields = Partial<ChangeNotes> & ValueNotes & MayHave<"conflict" | "covers" | "references">;

/** A change of one value to another; `null` is "unset". */
export interface ScalarChange extends FacetChangeBase, MayHave<"conflict" | "several" | "fallback"> {
  readonly shape: "scalar";
  readonly before: Scalar;
  readonly after: Scalar;
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
export interface DeletedContent extends MayHave<"aspects">, Partial<Having<typeof deletedContent>> {}

/** The references that a deletion concerns. */
export interface DeletionReferences extends Partial<Having<typeof deletionReferences>> {}

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
