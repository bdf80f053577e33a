/** Separates the changes that an apply writes from those that are held back by conflicts, fights or ignore rules. */

import {
  type Change,
  type FacetChange,
  type Hold,
  isFacetChange,
  isSetChange,
  withElements,
} from "./change.ts";
import type { PlannedChanges } from "./plan.ts";
import type { Entity, Member, Scalar, State } from "./state.ts";
import type { Urn } from "./urn.ts";
import { isInConflict } from "./conflicts.ts";
import { valueKey } from "./values.ts";

/**
 * Returns the changes that are not held back. If only some elements of a set change are held back, returns a change with the
 * other elements.
 */
export function pendingIn(changes: readonly Change[]): readonly Change[] {
  return changes.flatMap((change) => partsOf(change).pending ?? []);
}

/**
 * Returns the changes that are held back. If only some elements of a set change are held back, returns a change with only these
 * elements.
 */
export function heldBackIn(changes: readonly Change[]): readonly Change[] {
  return changes.flatMap((change) => partsOf(change).skipped ?? []);
}

/** Whether the entire change is held back. */
export function isHeldBack(change: Change): boolean {
  return partsOf(change).pending === undefined;
}

/**
 * Whether a value is held back because others keep reverting it, or because the other end of its move is held back. If an added
 * value is held back, so are the values that it replaces. Otherwise, a list could lose its last element.
 */
export function isValueHeldBack(change: FacetChange, value: Member | Scalar): boolean {
  const { fights = [], holds = [] } = change;
  const heldBack = new Set([...fights, ...holds].map((each) => valueKey(each.value)));
  if (heldBack.has(valueKey(value))) return true;
  if (!isSetChange(change) || !change.add.some((each) => heldBack.has(valueKey(each)))) return false;
  return change.remove.some((each) => valueKey(each) === valueKey(value));
}

/** Whether any value in a plan is held back because of a fight. */
export function hasFights({ changes }: PlannedChanges): boolean {
  return changes.some((change) => isFacetChange(change) && change.fights !== undefined);
}

/** Whether a fight or an ignore rule holds back any value in a change. */
export function hasValuesHeldBack(change: Change): boolean {
  return isFacetChange(change) && (change.fights !== undefined || change.holds !== undefined);
}

/** Whether a fight or an ignore rule holds back any value in a plan. */
export function planHasValuesHeldBack({ changes }: PlannedChanges): boolean {
  return changes.some(hasValuesHeldBack);
}

interface Parts {
  readonly pending?: Change;
  readonly skipped?: Change;
}

// Splitting a change must always return the same objects, because outcomes refer to them by identity.
const split = new WeakMap<Change, Parts>();

function partsOf(change: Change): Parts {
  if (isInConflict(change)) return { skipped: change };
  if (!isFacetChange(change) || !hasValuesHeldBack(change)) return { pending: change };
  const known = split.get(change) ?? splitHeldBack(change);
  split.set(change, known);
  return known;
}

function splitHeldBack(change: FacetChange): Parts {
  if (!isSetChange(change)) return { skipped: change };
  const isSkipped = (value: Member | Scalar): boolean => isValueHeldBack(change, value);
  const isFree = (value: Member | Scalar): boolean => !isSkipped(value);
  const pending = withElements(change, isFree);
  if (pending.add.length + pending.remove.length === 0) return { skipped: change };
  // The fingerprint covers all elements of the change, including those that are held back.
  const { covers } = change;
  const covering = covers && {
    covers: { ...covers, elements: [...covers.elements, ...change.remove.filter(isSkipped)] },
  };
  return {
    pending: { ...pending, ...covering },
    skipped: withElements(change, isSkipped),
  };
}

/** Describes why a fight or an ignore rule holds back a value; `undefined` if neither does. */
export function holdReason(change: FacetChange, value: Member | Scalar): string | undefined {
  if (!isValueHeldBack(change, value)) return undefined;
  const hold = change.holds?.find((each) => valueKey(each.value) === valueKey(value));
  return hold ? holdText(hold) : "someone keeps reverting it";
}

export function holdText({ urn, reason }: Hold): string {
  return reason === undefined
    ? `someone keeps reverting the other half of this move, the membership in ${urn}`
    : `an ignore rule keeps it in ${urn} (${reason}), but the server would remove it from there`;
}

/** Returns the state after the plan, in which single values that are held back keep their live value. */
export function withLiveValues(adopted: State, skipped: readonly Change[]): State {
  const state = new Map<Urn, Entity>(adopted);
  for (const change of skipped) {
    const entity = state.get(change.urn);
    const value = change.facet === undefined ? undefined : entity?.facets.get(change.facet);
    if (!entity || value?.shape !== "scalar" || change.shape !== "scalar" || !isHeldBack(change)) continue;
    const facets = new Map([...entity.facets, [change.facet, { ...value, value: change.before }]]);
    state.set(change.urn, { ...entity, facets });
  }
  return state;
}
