/** Extracts, from a run's report, the values that the run wrote and the entities that it created or deleted. */

import { appendTo } from "../../model/append.ts";
import {
  type ChangedElements,
  type Change,
  type EntityChange,
  type FacetChange,
  isFacetChange,
  isSetChange,
  type SetChange,
} from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Outcome } from "../../model/report.ts";
import { type KindName, type Member, memberKey, without } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";

/** The entities and values that a run wrote. */
export interface WrittenEntities {
  /** The changed values of existing entities. For sets, only the written elements are included. */
  readonly changed: readonly FacetChange[];
  /** The created entities, each with its written values. */
  readonly created: readonly Created[];
  readonly deleted: readonly EntityChange[];
}

/** All writes of a run. */
export interface Written extends WrittenEntities {
  /** Removed elements with stored fields that manifests cannot express. */
  readonly removed: readonly RemovedElements[];
}

/** Elements that a run removed from a set, in their stored form. `stored` is `null` if they were too large to keep. */
export interface RemovedElements {
  readonly change: SetChange;
  readonly stored: readonly JsonObject[] | null;
}

/** An entity that a run created. */
export interface Created {
  readonly urn: Urn;
  readonly kind: KindName;
  readonly changes: readonly FacetChange[];
}

/**
 * Returns the writes of a run: the applied operations, and the elements that a partly failed operation is known to have written.
 * Other failed operations do not count, because their result is unknown.
 */
export function writtenBy({ outcomes }: { readonly outcomes: readonly Outcome[] }): Written {
  const byChange = new Map<Change, Outcome[]>();
  for (const outcome of outcomes)
    for (const change of outcome.operation.changes)
      byChange.set(change, [...(byChange.get(change) ?? []), outcome]);
  const facetChanges: FacetChange[] = [];
  const created = new Map<Urn, KindName>();
  const deleted: EntityChange[] = [];
  for (const [change, own] of byChange) {
    const isApplied = own.some(({ status }) => status === "applied");
    if (isApplied && change.action === "create") created.set(change.urn, change.kind);
    if (isFacetChange(change)) appendTo(facetChanges, writtenOf(change, own));
    else if (isApplied && change.action === "delete") deleted.push(change);
  }
  const ofCreated = groupBy(
    facetChanges.filter(({ action }) => action === "create"),
    ({ urn }) => urn,
  );
  return {
    changed: facetChanges.filter(({ action }) => action === "update"),
    created: [...created].map(([urn, kind]) => ({ urn, kind, changes: ofCreated.get(urn) ?? [] })),
    deleted,
    removed: outcomes.flatMap((outcome) => {
      if (outcome.status !== "applied" || outcome.stored === undefined) return [];
      const { stored, operation } = outcome;
      return operation.changes.filter(isSetChange).map((change) => ({ change, stored }));
    }),
  };
}

/** Returns the written part of a change. The list is empty if nothing was written. */
function writtenOf(change: FacetChange, outcomes: readonly Outcome[]): readonly FacetChange[] {
  if (change.shape === "scalar") return outcomes.some(({ status }) => status === "applied") ? [change] : [];
  const unwritten = outcomes.flatMap((outcome) => unwrittenBy(outcome, change));
  const add = without(change.add, unwritten);
  const remove = without(change.remove, unwritten);
  return add.length + remove.length === 0 ? [] : [{ ...change, add, remove }];
}

function unwrittenBy(outcome: Outcome, { add, remove }: ChangedElements): readonly Member[] {
  if (outcome.status === "applied") return [];
  const { adds, removes } = outcome.operation;
  const [added, removed] = adds || removes ? [adds ?? [], removes ?? []] : [add, remove];
  if (outcome.status === "failed" && Array.isArray(outcome.found)) {
    const there = new Set(outcome.found.map(memberKey));
    const isThere = (member: Member): boolean => there.has(memberKey(member));
    return [...added.filter((member) => !isThere(member)), ...removed.filter(isThere)];
  }
  return [...added, ...removed];
}
