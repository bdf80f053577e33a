/** Collects, from run reports, the values that apply runs wrote after the last applied commit. */

import { type FacetChange, isSetChange } from "../../model/change.ts";
import { placeKey } from "../../model/place.ts";
import type { Report } from "../../model/report.ts";
import type { Member, Scalar } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { writtenBy } from "./written.ts";
import { isOfRollback } from "./changes.ts";
import { valueKey } from "../../model/values.ts";

/** The last write of a value: an element was added to a set or removed from it, or a single value was set. */
type LastWrite = "add" | "remove" | { readonly value: Scalar };

interface WrittenEntity {
  /**
   * Whether the entity existed after the last apply that created or deleted it. Absent if no apply created or deleted the entity.
   */
  readonly isThere?: boolean;
  readonly values: ReadonlyMap<string, LastWrite>;
}

/** The last write of each value, keyed by entity. */
export type WrittenSince = ReadonlyMap<Urn, WrittenEntity>;

/** The mutable form of `WrittenSince`, to which the writes of each report are added. */
type Known = Map<Urn, { isThere?: boolean; readonly values: Map<string, LastWrite> }>;

/**
 * Collects the writes in apply reports, which must be added oldest first. The values that a rollback writes no longer count as
 * applied, because no manifest declares them.
 */
export function collectWritten(): { readonly add: (report: Report) => void; readonly written: WrittenSince } {
  const written: Known = new Map();
  return { add: (report) => addTo(written, report), written };
}

function addTo(known: Known, report: Report): void {
  const isRollback = report.plan.changes.some(isOfRollback);
  const { changed, created, deleted } = writtenBy(report);
  for (const { urn } of [...deleted, ...created]) known.delete(urn);
  if (!isRollback) {
    for (const { urn } of deleted) known.set(urn, { isThere: false, values: new Map() });
    for (const { urn } of created) known.set(urn, { isThere: true, values: new Map() });
  }
  for (const change of [...created.flatMap(({ changes }) => changes), ...changed]) {
    const entity = known.get(change.urn) ?? { values: new Map<string, LastWrite>() };
    known.set(change.urn, entity);
    for (const [key, write] of writesOf(change)) {
      if (isRollback) entity.values.delete(key);
      else entity.values.set(key, write);
    }
  }
}

function writesOf(change: FacetChange): readonly (readonly [key: string, write: LastWrite])[] {
  if (!isSetChange(change)) return [[keyAt(change), { value: change.after }]];
  return (["add", "remove"] as const).flatMap((side) =>
    change[side].map((member) => [keyAt(change, member), side] as const),
  );
}

/** Returns the last write of an element in the changed set. */
export function lastWriteOf(
  written: WrittenSince | undefined,
  change: FacetChange,
  member: Member,
): "add" | "remove" | undefined {
  const write = written?.get(change.urn)?.values.get(keyAt(change, member));
  return typeof write === "string" ? write : undefined;
}

/** Returns the single value that was last written at a change's place. */
export function lastValueAt(
  written: WrittenSince | undefined,
  change: FacetChange,
): { readonly value: Scalar } | undefined {
  const write = written?.get(change.urn)?.values.get(keyAt(change));
  return typeof write === "object" ? write : undefined;
}

function keyAt(change: FacetChange, member?: Member): string {
  return member === undefined ? placeKey(change) : `${placeKey(change)} ${valueKey(member)}`;
}
