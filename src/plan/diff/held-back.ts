import {
  type Change,
  type FacetChange,
  isFacetChange,
  isSetChange,
  withElements,
} from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import type { Outcome } from "../../model/report.ts";
import type { Entity, Member, Scalar, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { operationsOf } from "../order/operations.ts";
import { conflictOf, isInConflict } from "./conflicts.ts";
import { valueKey } from "./values.ts";

/** What of changes is carried out, and what is held back by conflicts and fights. Of a set both may have a part. */
export function partitionHeldBack({
  changes,
}: Pick<Plan, "changes">): Readonly<Record<"pending" | "skipped", readonly Change[]>> {
  return {
    pending: changes.flatMap((change) => partsOf(change).pending ?? []),
    skipped: changes.flatMap((change) => partsOf(change).skipped ?? []),
  };
}

/** Whether nothing of a change is carried out. */
export function isHeldBack(change: Change): boolean {
  return partsOf(change).pending === undefined;
}

/**
 * Whether a value of a change is not written for now because others set it back so often. What goes in exchange for such a value
 * stays as well: else a list could lose its last element.
 */
export function isFoughtOver(change: FacetChange, value: Member | Scalar): boolean {
  const fought = new Set((change.fights ?? []).map((fight) => valueKey(fight.value)));
  if (fought.has(valueKey(value))) return true;
  if (!isSetChange(change) || !change.add.some((each) => fought.has(valueKey(each)))) return false;
  return change.remove.some((each) => valueKey(each) === valueKey(value));
}

/** Whether a plan holds values back that others set back. */
export function hasFights({ changes }: Pick<Plan, "changes">): boolean {
  return changes.some((change) => isFacetChange(change) && change.fights !== undefined);
}

interface Parts {
  readonly pending?: Change;
  readonly skipped?: Change;
}

// What is split is the same object each time: outcomes are about parts, and others look for theirs.
const split = new WeakMap<Change, Parts>();

function partsOf(change: Change): Parts {
  if (isInConflict(change)) return { skipped: change };
  if (!isFacetChange(change) || !change.fights) return { pending: change };
  const known = split.get(change) ?? partsOfFight(change);
  split.set(change, known);
  return known;
}

function partsOfFight(change: FacetChange): Parts {
  if (!isSetChange(change)) return { skipped: change };
  const isHeld = (value: Member | Scalar): boolean => isFoughtOver(change, value);
  const isFree = (value: Member | Scalar): boolean => !isHeld(value);
  const pending = withElements(change, isFree);
  if (pending.add.length + pending.remove.length === 0) return { skipped: change };
  // The fingerprint is that of the whole change.
  const { covers } = change;
  const covering = covers && {
    covers: { ...covers, elements: [...covers.elements, ...change.remove.filter(isHeld)] },
  };
  return {
    pending: { ...pending, ...covering },
    skipped: withElements(change, isHeld),
  };
}

/** The outcomes of what was held back. */
export function skippedOutcomes(skipped: Pick<Plan, "changes" | "writes">): readonly Outcome[] {
  return operationsOf(skipped).map((operation) => ({
    status: "skipped",
    operation: { ...operation, id: `held-${operation.id}` },
    because: reasonOf(operation.changes),
  }));
}

function reasonOf(changes: readonly Change[]): string {
  const [fight] = changes.filter(isFacetChange).flatMap(({ fights = [] }) => fights);
  if (fight) {
    const { times, until } = fight;
    return `others set it back again and again: it was written ${times} times and is written again from ${until} on, or after a commit that changes what is declared`;
  }
  const conflicts = changes.map(conflictOf);
  if (conflicts.some((conflict) => conflict?.moved))
    return "conflict: the live value is kept, because somebody changed it after the run";
  return conflicts.some((conflict) => conflict?.winner === undefined)
    ? "conflict: the live value is kept until it is declared or --force-conflicts overwrites it"
    : "conflict: the live value is kept (--skip-conflicts, or `conflicts: skip` in the settings)";
}

/** The state that the skipped changes leave: their single values stay as they are. */
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
