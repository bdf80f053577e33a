/** The differences between desired and live state: of a single value, a set, or a complete entity. */

import type { DeletedContent, DeletionReferences } from "./deletion.ts";
import type { JsonObject } from "./json.ts";
import type { Origin } from "./origin.ts";
import type { Place } from "./place.ts";
import type { EntityKey, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** The reason for a difference: not applied yet, missing in the catalog, or changed there. See `src/plan/notes/drift.ts`. */
export type DriftClass = "pending" | "missing" | "changed";

/** Every class, most severe first. */
export const driftClasses: readonly DriftClass[] = ["changed", "missing", "pending"];

/** The place that a change comes from. */
export interface Source extends Origin {
  /** Whether the place is in the base commit, because the manifests no longer declare the value. */
  readonly base?: true;
}

/** The notes of any change: what `src/plan/notes` adds to a difference. */
interface ChangeNotes {
  /** The declaration of the first value that is added or set; for a removal, the place that no longer declares the first value. */
  readonly source?: Source;
  /**
   * The ids of the rules that caused it: they declare the values that it adds or sets, no longer declare those that it removes, or
   * alone manage the place.
   */
  readonly rules?: readonly string[];
  /** A hash of the live value that the change was computed from. */
  readonly fingerprint: string;
  /**
   * In trees, the live entities above the new parent, or above a deleted entity, nearest first: the order of operations depends on
   * them.
   */
  readonly above?: readonly Urn[];
  /** Only in a plan of drift. */
  readonly class?: DriftClass;
}

interface ChangeBase extends ChangeNotes, EntityKey {
  readonly action: "create" | "update" | "delete";
  /**
   * Fields of aspects that manifests cannot express, by aspect. For a deletion, those of the entity (`null` if they are too many to
   * keep); in a rollback, those that the first change of a recreated entity restores.
   */
  readonly aspects?: JsonObject | null;
}

/** The program that wrote a value, as far as it is known. */
export interface WriterSource {
  readonly ingestionRun?: string;
  /** The pipeline of the ingestion run. */
  readonly pipeline?: string;
  /** The URN of the part of DataHub that set it, such as an action or an ingestion source. */
  readonly agent?: string;
}

/** The writer of a value, and the time (ISO 8601); with `lastWriterOfAspect` the last writer of its aspect. */
export interface Written {
  readonly actor?: string;
  readonly time?: string;
  readonly lastWriterOfAspect?: true;
}

/**
 * The writer of a value that differs from the declared one, with the ingestion run, its pipeline and the agent, if known.
 */
export interface Opponent extends Written, WriterSource {}

/**
 * A value that is not written for now, because others changed it back after each of many writes. In a set it is an added or removed
 * element, otherwise `after`.
 */
export interface Fight extends Opponent {
  readonly value: Member | Scalar;
  /** The number of writes within the time in the settings, the last write, and the time of the next write (ISO 8601). */
  readonly times: number;
  readonly last: string;
  readonly until: string;
  /** Whether mode `merge` would end the fight: the mode is `authoritative`, and `merge` would keep the value of the others. */
  readonly keptByMerge?: true;
}

/**
 * An edge that is not written for now: the member would move to another group, and the edge at the other end of this move does not
 * change.
 */
export interface Hold {
  readonly value: Member;
  /** The group at the other end. */
  readonly urn: Urn;
  /** The reason of the ignore rule that keeps the member there; absent if a fight keeps it. */
  readonly reason?: string;
}

/** A value that a change removes. `declaredBefore`: whether base declares it, `null` if base is unknown. */
export interface Removed extends Written {
  readonly value: Member | Scalar;
  readonly declaredBefore: boolean | null;
  /** The group that the member joins instead. The server allows only one group, so no mode keeps the member here. */
  readonly movesTo?: Urn;
  /** The declaration in the last applied commit, if HEAD does not have that commit in its history. */
  readonly lastApplied?: Origin;
}

/** The place of a value, and the entity that has it. */
export interface ValuePlace extends Place, EntityKey {}

/** A single value that someone else changed since base declared it, and the winning side, if decided. */
export interface Conflict {
  readonly base: Scalar;
  readonly live: Scalar;
  readonly desired: Scalar;
  readonly winner?: "desired" | "live";
  /** In a rollback: someone changed the value that the run had left, and nothing overwrites it. */
  readonly moved?: true;
}

/** The notes of a change of values. */
interface ValueNotes {
  /** Whether a prune removes the values, because only base declares them. */
  readonly pruned?: true;
  /** The removed values, if any. */
  readonly removed?: readonly Removed[];
  /** The values (added or removed elements, or `after`) that the last applied commit declares as well: others changed them. */
  readonly reverts?: readonly (Member | Scalar)[];
  /** The values that are held back because of a fight, if any. */
  readonly fights?: readonly Fight[];
  /** The members that are held back because of the other end of their move, if any. */
  readonly holds?: readonly Hold[];
}

interface FacetChangeBase extends ChangeBase, ValueNotes, Place {
  /** The second path under which values of a column are stored. The change moves or removes them. */
  readonly alsoStoredAt?: string;
  /** Whether the values are references to an entity that the plan deletes. They are shown with the deletion, not as a change. */
  readonly isReference?: true;
}

/** The fields that one note may add to a change. */
export interface NoteFields extends Partial<ChangeNotes>, ValueNotes {
  readonly conflict?: Conflict;
  readonly covers?: Coverage;
  readonly references?: readonly string[];
}

/** A change of one value to another; `null` is "unset". */
export interface ScalarChange extends FacetChangeBase {
  readonly shape: "scalar";
  readonly conflict?: Conflict;
  readonly before: Scalar;
  readonly after: Scalar;
  /** All stored values, if the catalog stores several instead of one; `before` is then a string that lists them. */
  readonly several?: readonly Member[];
  /** For a value that is unset: the value that the catalog shows instead, because ingestion wrote it. */
  readonly fallback?: Scalar;
}

/** Listed elements, and all others except those that one of the patterns covers. */
export interface Coverage {
  readonly elements: readonly Member[];
  readonly except: readonly string[];
}

/** The elements that a set gains and loses. */
export interface ChangedElements<Element extends Member = Member> {
  readonly add: readonly Element[];
  readonly remove: readonly Element[];
}

/** The changed elements of a set, and the elements that the fingerprint of the change covers. */
export interface CoveredElements<Element extends Member = Member> extends ChangedElements<Element> {
  /** The elements that the fingerprint covers in addition to `add` and `remove`; if absent, all live elements. */
  readonly covers?: Coverage;
}

/** Members that a set gains and loses. */
export interface SetChange<Element extends Member = Member>
  extends FacetChangeBase, CoveredElements<Element> {
  readonly shape: "set";
  /** In a rollback, elements of `add` as they were stored, if that was more than manifests can express. */
  readonly stored?: readonly JsonObject[];
}

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
