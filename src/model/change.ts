/** Defines changes, the differences between desired and live state: in a single value, a set, or a complete entity. */

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

/** Every drift class, most severe first. */
export const driftClasses: readonly DriftClass[] = driftClass.enum;

/** The position that a change comes from. */
export type Source = FromSchema<typeof source>;

/** A value's writer, and the time (ISO 8601). With `lastWriterOfAspect` it is its aspect's last writer. */
export type Written = FromSchema<typeof writtenRecord>;

/** The program that wrote a value, as far as it is known. */
export type WriterSource = FromSchema<typeof writerSourceRecord>;

/**
 * The writer of a value that differs from the declared one, and the ingestion run, its pipeline and the agent, if known.
 */
export type Opponent = FromSchema<typeof opponentRecord>;

/**
 * A value that is not written for now, because others changed it back after each of many writes. In a set it
 * is an added or removed element, otherwise `after`.
 */
export type Fight = FromSchema<typeof fight>;

/**
 * An edge that is not written for now: the member would move to another group, and the edge at the move's
 * other end does not change.
 */
export type Hold = FromSchema<typeof hold>;

/** A value that a change removes. `declaredBefore` says whether base declares it, and is `null` if base is unknown. */
export type Removed = FromSchema<typeof removal>;

/** A single value that someone else changed since base declared it, and the conflict's winner, if decided. */
export type Conflict = FromSchema<typeof conflict>;

/** An entity's single value, or a nonempty set's elements, in their stored format. */
export type OwnValue = FromSchema<typeof ownValue>;

/** A value's place, including the entity that has it. */
export interface ValuePlace extends Place, EntityKey {}

type ChangeFields = typeof changeFields;

/** Fields with their schemas' types. */
type Having<Schemas> = { readonly [Each in keyof Schemas]: FromSchema<Schemas[Each]> };

type MayHave<Name extends keyof ChangeFields> = { readonly [Each in Name]?: FromSchema<ChangeFields[Each]> };

/** The notes on any change: the fields that `src/plan/notes` adds to a difference. */
interface ChangeNotes extends MayHave<"source" | "rules" | "above" | "class"> {
  /** A hash of the live value that the change was computed from. */
  readonly fingerprint: string;
}

interface ChangeBase extends ChangeNotes, EntityKey, MayHave<"aspects"> {
  readonly action: "create" | "update" | "delete";
}

/** The notes on a value change. */
type ValueNotes = Partial<Having<typeof valueNotes>>;

interface FacetChangeBase extends ChangeBase, ValueNotes, MayHave<"alsoStoredAt">, Place {
  /** Whether the values are references to an entity that the plan deletes. Plans show them with the deletion, not as a change. */
  readonly isReference?: true;
}

/** The fields that one note may add to a change. */
export type NoteFields = Partial<ChangeNotes> & ValueNotes & MayHave<"conflict" | "covers" | "references">;

/** A change from one value to another; `null` is "unset". */
export interface ScalarChange extends FacetChangeBase, MayHave<"conflict" | "several" | "fallback"> {
  readonly shape: "scalar";
  readonly before: Scalar;
  readonly after: Scalar;
}

/** Covers the listed elements, and all other elements that none of the patterns matches. */
export type Coverage = FromSchema<typeof coverage>;

/** The elements that a set gains and loses. */
export interface ChangedElements<Element extends Member = Member> {
  readonly add: readonly Element[];
  readonly remove: readonly Element[];
}

/** A set's changed elements, and the elements that the change's fingerprint covers. */
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

/** A change to one facet. */
export type FacetChange = ScalarChange | SetChange;

/** One difference between desired and live state. Each place of an entity has at most one. */
export type Change = FacetChange | EntityChange;

/** Whether a change affects a facet, not the entity itself. */
export function isFacetChange(change: Change): change is FacetChange {
  return change.shape !== "entity";
}

/** Restricts a change to some of its set's elements, with their details; its `covers` stays the same. */
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

/** Whether a set change keeps the elements that others added. */
export function keepsOthers(change: Change): boolean {
  return isSetChange(change) && change.covers?.except.includes("*") === true;
}

/** Whether a change affects a set. */
export function isSetChange(change: Change): change is SetChange {
  return change.shape === "set";
}
