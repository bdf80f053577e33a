import type { Origin } from "./origin.ts";
import type { KindName, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

interface ChangeBase {
  readonly action: "create" | "update" | "delete";
  readonly kind: KindName;
  readonly urn: Urn;
  /** The manifest line that declared it. */
  readonly source?: Origin;
  /** A hash of the live value that the change was computed from. */
  readonly fingerprint: string;
  /**
   * In trees, the live entities above, nearest first: of one that gets a new parent those above that, of one that is
   * deleted its parent. The order of changes depends on them.
   */
  readonly above?: readonly Urn[];
}

/**
 * A value that a change takes away. `declaredBefore`: whether base declares it, `null` where base is not known. `actor`
 * and `time` (ISO 8601) tell who put it there; with `lastWriterOfAspect` who wrote last what holds it.
 */
export interface Removed {
  readonly value: Member | Scalar;
  readonly declaredBefore: boolean | null;
  readonly actor?: string;
  readonly time?: string;
  readonly lastWriterOfAspect?: true;
}

/** A single value that somebody else changed: what base declared, what is there, what is declared now; and who wins where that is settled. */
export interface Conflict {
  readonly base: Scalar;
  readonly live: Scalar;
  readonly desired: Scalar;
  readonly winner?: "desired" | "live";
}

interface FacetChangeBase extends ChangeBase {
  readonly facet: string;
  readonly column?: string;
  /** Whether a prune takes the values away: only base declares them, and `source` is a place in base. */
  readonly pruned?: true;
  /** The values that go, where some do. */
  readonly removed?: readonly Removed[];
}

/** One value that becomes another; `null` is "unset". */
export interface ScalarChange extends FacetChangeBase {
  readonly shape: "scalar";
  readonly conflict?: Conflict;
  readonly before: Scalar;
  readonly after: Scalar;
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
}

/** An entity as a whole: a new one that declares nothing beside its identity, or one that is deleted. */
export interface EntityChange extends ChangeBase {
  readonly shape: "entity";
  readonly action: "create" | "delete";
  readonly facet?: never;
  readonly column?: never;
  /** How many live assignments fall with a deletion, where the catalog could say it. */
  readonly assignments?: number;
}

/** A difference in one facet. */
export type FacetChange = ScalarChange | SetChange;

/** One difference between desired and live: at most one per (urn, facet, column). */
export type Change = FacetChange | EntityChange;

/** Whether a change is about a facet, and not about an entity as a whole. */
export function isFacetChange(change: Change): change is FacetChange {
  return change.shape !== "entity";
}

/** Whether a change is one of a set. */
export function isSetChange(change: Change): change is SetChange {
  return change.shape === "set";
}
