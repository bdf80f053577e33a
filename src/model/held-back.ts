/** Splits changes into those that an apply writes and those that conflicts, fights or ignore rules hold back. */

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

/** Splits changes into pending ones and those that are held back. A set change may be split in two. */
export function partitionHeldBack({
  changes,
}: PlannedChanges): Readonly<Record<"pending" | "skipped", readonly Change[]>> {
  return {
    pending: changes.flatMap((change) => partsOf(change).pending ?? []),
    skipped: changes.flatMap((change) => partsOf(change).skipped ?? []),
  };
}

/** Whether a change is completely held back. */
export function isHeldBack(change: Change): boolean {
  return partsOf(change).pending === undefined;
}

/**
 * Whether a value is held back: others keep changing it back, or its move is held back at the other end. An added value
 * that is held back holds back the values that it replaces, because a list could otherwise lose its last element.
 */
export function isValueHeldBack(change: FacetChange, value: Member | Scalar): boolean {
  const { fights = [], holds = [] } = change;
  const heldBack = new Set([...fights, ...holds].map((each) => valueKey(each.value)));
  if (heldBack.has(valueKey(value))) return true;
  if (!isSetChange(change) || !change.add.some((each) => heldBack.has(valueKey(each)))) return false;
  return change.remove.some((each) => valueKey(each) === valueKey(value));
}

/** Whether fights hold back values in a plan. */
export function hasFights({ changes }: PlannedChanges): boolean {
  return changes.some((change) => isFacetChange(change) && change.fights !== undefined);
}

/** Whether a fight or an ignore rule holds back values in a change. */
export function hasValuesHeldBack(change: Change): boolean {
  return isFacetChange(change) && (change.fights !== undefined || change.holds !== undefined);
}

/** Whether a fight or an ignore rule holds back values in a plan. */
export function planHasValuesHeldBack({ changes }: PlannedChanges): boolean {
  return changes.some(hasValuesHeldBack);
}

interface Parts {
  readonly pending?: Change;
  readonly skipped?: Change;
}

// Each change must always give the same objects, because outcomes refer to them by identity.
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
  // The fingerprint covers all elements in the change.
  const { covers } = change;
  const covering = covers && {
    covers: { ...covers, elements: [...covers.elements, ...change.remove.filter(isSkipped)] },
  };
  return {
    pending: { ...pending, ...covering },
    skipped: withElements(change, isSkipped),
  };
}

/** Returns in words why a fight or an ignore rule holds a value back; `undefined` if none does. */
export function holdReason(change: FacetChange, value: Member | Scalar): string | undefined {
  if (!isValueHeldBack(change, value)) return undefined;
  const hold = change.holds?.find((each) => valueKey(each.value) === valueKey(value));
  return hold ? holdText(hold) : "someone keeps reverting it";
}

export function holdText({ urn, reason }: Hold): string {
  return reason === undefined
    ? `someone keeps reverting it on ${urn}, the other end of its move`
    : `an ignore rule keeps it in ${urn} (${reason}), and the server would remove it from there`;
}

/** Returns the state after the plan: single values that are held back keep their live value. */
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
