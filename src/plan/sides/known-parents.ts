import { kindOf } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import type { Problem } from "../../model/problem.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { withoutFacet } from "./base.ts";
import { nearestAbove, parentIn, parentsIn } from "./parents.ts";

/** Desired state, and what of the entities above it could not be read. */
export interface KnownParents {
  readonly state: State;
  readonly problems: readonly Problem[];
}

/**
 * Desired state without the new parents of entities that exist where something above could not be read: it may be below
 * the entity itself. One problem for each entity that could not be read and is not declared itself, of those above what is selected.
 */
export function withKnownParents(
  desired: State,
  live: Live,
  isSelected: (urn: Urn) => boolean = () => true,
): KnownParents {
  if (live.unreadable.size === 0) return { state: desired, problems: [] };
  const parentOf = parentsIn(desired, live.state, live.above ?? new Map());
  const state = new Map(desired);
  const problems = new Map<Urn, Problem>();
  for (const entity of desired.values()) {
    const unread = isMoved(entity, desired, live.state)
      ? nearestAbove(entity.urn, parentOf, (urn) => live.unreadable.has(urn))
      : undefined;
    if (unread === undefined) continue;
    state.set(entity.urn, withoutFacet(entity, kindOf(entity.kind).parentFacet ?? ""));
    const isToldOf = desired.has(unread) && isSelected(unread);
    if (!isSelected(entity.urn) || isToldOf || problems.has(unread)) continue;
    const origin = parentIn(desired, entity.urn)?.origin;
    const args = { kind: entity.kind, urn: unread, error: live.unreadable.get(unread) ?? "" };
    problems.set(unread, { code: "read-failed", severity: "error", args, ...(origin && { origin }) });
  }
  return { state, problems: [...problems.values()] };
}

function isMoved({ urn }: Entity, desired: State, live: State): boolean {
  const parent = parentIn(desired, urn);
  return parent !== undefined && live.has(urn) && parentIn(live, urn)?.value !== parent.value;
}
