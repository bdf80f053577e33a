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
}

/** One value that becomes another; `null` is "unset". */
export interface ScalarChange extends ChangeBase {
  readonly facet: string;
  readonly column?: string;
  readonly before: Scalar;
  readonly after: Scalar;
}

/** Members that a set gains and loses. */
export interface SetChange extends ChangeBase {
  readonly facet: string;
  readonly column?: string;
  readonly add: readonly Member[];
  readonly remove: readonly Member[];
}

/** A new entity that declares nothing beside its identity. */
export interface EntityChange extends ChangeBase {
  readonly action: "create";
  readonly facet?: never;
  readonly column?: never;
}

/** A difference in one facet. */
export type FacetChange = ScalarChange | SetChange;

/** One difference between desired and live: at most one per (urn, facet, column). */
export type Change = FacetChange | EntityChange;

/** Whether a change is about a facet, and not about an entity as a whole. */
export function isFacetChange(change: Change): change is FacetChange {
  return change.facet !== undefined;
}

/** Whether a change is one of a set. */
export function isSetChange(change: Change): change is SetChange {
  return "add" in change;
}
