import type { JsonObject } from "./json.ts";
import type { Origin } from "./origin.ts";
import type { Place } from "./place.ts";
import type { KindName, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** Why desired and live differ: not applied yet, missing in the catalog, or changed there. See `src/plan/diff/drift.ts`. */
export type DriftClass = "pending" | "missing" | "changed";

/** Every class, the most severe one first. */
export const driftClasses: readonly DriftClass[] = ["changed", "missing", "pending"];

/** The place that a change comes from. */
export interface Source extends Origin {
  /** Whether it is a place in the base commit, because the manifests no longer declare the value. */
  readonly base?: true;
}

interface ChangeBase {
  readonly action: "create" | "update" | "delete";
  readonly kind: KindName;
  readonly urn: Urn;
  /** The place of what declares the first value that is added or set; of a removal, of what no longer declares the first one. */
  readonly source?: Source;
  /** The ids of the rules behind it: those whose own values it adds or sets, that no longer declare what goes, or that alone manage it. */
  readonly rules?: readonly string[];
  /** A hash of the live value that the change was computed from. */
  readonly fingerprint: string;
  /**
   * In trees, the live entities above the new parent, or the parent of a deleted entity, nearest first: the order depends on
   * them.
   */
  readonly above?: readonly Urn[];
  /** Only where the plan is one of drift. */
  readonly class?: DriftClass;
  /**
   * Fields of aspects that manifests cannot express, by aspect: of a deletion, those that the entity has (`null` if they are too
   * many to keep); in a rollback, those that the first change of an entity puts back, which it makes again.
   */
  readonly aspects?: JsonObject | null;
}

/** Who wrote a value, and when (ISO 8601); with `lastWriterOfAspect` the last writer of its aspect. */
export interface Written {
  readonly actor?: string;
  readonly time?: string;
  readonly lastWriterOfAspect?: true;
}

/** Who put a value where others want another one: also the ingestion run that wrote it, its pipeline, and the agent, where these are known. */
export interface Opponent extends Written {
  readonly ingestionRun?: string;
  readonly pipeline?: string;
  /** What of DataHub put it there, such as an action or an ingestion source: its URN. */
  readonly agent?: string;
}

/**
 * A value that is not written again for now: it was written so often, and others set it back each time. Of a set it is one of
 * those that are added or removed, of a single value `after`.
 */
export interface Fight extends Opponent {
  readonly value: Member | Scalar;
  /** How often it was written within the time that the settings say, and when last and from when on it is written again (ISO 8601). */
  readonly times: number;
  readonly last: string;
  readonly until: string;
  /** Whether mode `merge` would end it: the mode is `authoritative`, and the value would stay as others set it. */
  readonly keptByMerge?: true;
}

/**
 * An edge that is not written for now though it could be: the member would move to another group, and the edge at the other end of
 * this move stays as it is.
 */
export interface Hold {
  readonly value: Member;
  /** The group at the other end. */
  readonly urn: Urn;
  /** The reason of the ignore rule that keeps the member there; absent where others set the edge there back again and again. */
  readonly reason?: string;
}

/** A value that a change takes away. `declaredBefore`: whether base declares it, `null` where base is not known. */
export interface Removed extends Written {
  readonly value: Member | Scalar;
  readonly declaredBefore: boolean | null;
  /** The group that the member joins instead: the server lets it be in one, so no mode keeps it here. */
  readonly movesTo?: Urn;
  /** Where the last applied commit declares it, which HEAD does not have in its history. */
  readonly lastApplied?: Origin;
}

/** The place of a value, and the entity that has it. */
export interface ValuePlace extends Place {
  readonly kind: KindName;
  readonly urn: Urn;
}

/** A single value that somebody else changed since base declared it, and the side that wins, where that is decided. */
export interface Conflict {
  readonly base: Scalar;
  readonly live: Scalar;
  readonly desired: Scalar;
  readonly winner?: "desired" | "live";
  /** In a rollback: somebody changed what the run had left, and nothing overwrites it. */
  readonly moved?: true;
}

interface FacetChangeBase extends ChangeBase, Place {
  /** The second path under which values of a column are stored. The change moves or removes them. */
  readonly alsoStoredAt?: string;
  /** Whether a prune takes the values away: only base declares them. */
  readonly pruned?: true;
  /** Whether the values are references to what the plan deletes: it shows them with the deletion, and has no change for them. */
  readonly isReference?: true;
  /** The values that go, where some do. */
  readonly removed?: readonly Removed[];
  /** The values (of a set those added or removed, else `after`) that the last applied commit declares, too: others changed them. */
  readonly reverts?: readonly (Member | Scalar)[];
  /** The values that are held back, where some are. */
  readonly fights?: readonly Fight[];
  /** The members that are held back because of the other end of their move, where some are. */
  readonly holds?: readonly Hold[];
}

/** One value that becomes another; `null` is "unset". */
export interface ScalarChange extends FacetChangeBase {
  readonly shape: "scalar";
  readonly conflict?: Conflict;
  readonly before: Scalar;
  readonly after: Scalar;
  /** All values that are stored in the place of one, where they are several: `before` is a text of them. */
  readonly several?: readonly Member[];
  /** Of a value that is unset: what the catalog shows then, because ingestion wrote it. */
  readonly fallback?: Scalar;
}

/** Some elements, and all others but those that one of the patterns covers. */
export interface Coverage {
  readonly elements: readonly Member[];
  readonly except: readonly string[];
}

/** Members that a set gains and loses. */
export interface SetChange<Element extends Member = Member> extends FacetChangeBase {
  readonly shape: "set";
  readonly add: readonly Element[];
  readonly remove: readonly Element[];
  /** What the fingerprint covers beside `add` and `remove`; without it all live elements. */
  readonly covers?: Coverage;
  /** In a rollback, elements of `add` as they were stored, if that was more than manifests can express. */
  readonly stored?: readonly JsonObject[];
}

/** A single value that an entity has, or the elements of a set that is not empty. */
export type OwnValue = Place &
  (
    | { readonly value: Member | Scalar; readonly elements?: never }
    | {
        readonly elements: readonly Member[];
        readonly value?: never;
        /** Those of which more is stored than manifests can express, as they are stored. */
        readonly stored?: readonly JsonObject[];
      }
  );

/** A new entity that declares nothing but its identity, or a deleted entity. */
export interface EntityChange extends ChangeBase {
  readonly shape: "entity";
  readonly action: "create" | "delete";
  readonly facet?: never;
  readonly path?: never;
  readonly reverts?: never;
  /** How many live assignments fall with a deletion, where the catalog could say it. */
  readonly assignments?: number;
  /** What has these assignments, as far as the catalog names it, sorted; of very many the catalog names none. */
  readonly assignedTo?: readonly Urn[];
  /** Of a deletion, sorted hashes of all references to and from the entity, which the fingerprint does not cover. */
  readonly references?: readonly string[];
  /** Of a deletion, the values that the entity has: a rollback makes it with them again. */
  readonly values?: readonly OwnValue[];
}

/** A difference in one facet. */
export type FacetChange = ScalarChange | SetChange;

/** One difference between desired and live: at most one for each place of an entity. */
export type Change = FacetChange | EntityChange;

/** Whether a change is about a facet, and not about an entity itself. */
export function isFacetChange(change: Change): change is FacetChange {
  return change.shape !== "entity";
}

/** A change of some elements of a set, with what is known of these; it covers what it did. */
export function withElements(change: SetChange, keeps: (value: Member | Scalar) => boolean): SetChange {
  const { removed = [], reverts = [], fights = [], holds = [], ...rest } = change;
  const gone = removed.filter(({ value }) => keeps(value));
  const reverted = reverts.filter(keeps);
  const fought = fights.filter(({ value }) => keeps(value));
  const held = holds.filter(({ value }) => keeps(value));
  return {
    ...rest,
    add: change.add.filter(keeps),
    remove: change.remove.filter(keeps),
    ...(gone.length > 0 && { removed: gone }),
    ...(reverted.length > 0 && { reverts: reverted }),
    ...(fought.length > 0 && { fights: fought }),
    ...(held.length > 0 && { holds: held }),
  };
}

/** Whether a change leaves alone what others put into its set. */
export function leavesOthers(change: Change): boolean {
  return isSetChange(change) && change.covers?.except.includes("*") === true;
}

/** Whether a change is one of a set. */
export function isSetChange(change: Change): change is SetChange {
  return change.shape === "set";
}
