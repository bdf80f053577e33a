/** Lists the references to deleted entities that operations remove, groups deletions, and waits for the server's cleanup. */

import { kindOf } from "../../kinds/index.ts";
import { type EntityChange, isFacetChange } from "../../model/change.ts";
import type { Operation } from "../../model/operation.ts";
import type { Outcome, ReferencesLeft } from "../../model/report.ts";
import { referenceHash, referencesRemovedBy } from "../../plan/align/deletion.ts";
import type { Urn } from "../../model/urn.ts";
import type { Writer } from "../../datahub/client.ts";
import { searchReferrers } from "../read/incoming-references.ts";
import { type PollOptions, pollUntilDone } from "./poll.ts";

/**
 * Returns the references that the plan contains and that operations remove: the relationships and referrers of each deleted
 * entity.
 */
export function removedReferences(
  deletions: readonly EntityChange[],
  operations: readonly Operation[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const seen = new Map<string, ReadonlySet<string>>(
    deletions.map(({ urn, references = [] }) => [urn, new Set(references)]),
  );
  const removed = new Map<string, Set<string>>();
  if (seen.size === 0) return removed;
  for (const change of new Set(operations.flatMap(({ changes }) => changes)))
    for (const { type, from, to } of referencesRemovedBy(change)) {
      if (seen.get(to)?.has(referenceHash(type, from)) !== true) continue;
      removed.set(to, (removed.get(to) ?? new Set()).add(`${type} ${from}`));
    }
  return removed;
}

/**
 * Divides deletions into groups that must be sent one after another. After a deletion, the server removes the references that
 * operations did not remove. If two such cleanups change the same entity, one overwrites the other (DeleteEntityService.java), so
 * these deletions are in different groups.
 */
export function deletionGroups(
  deletions: readonly Operation[],
  operations: readonly Operation[],
): readonly (readonly Operation[])[] {
  const groups: { readonly operations: Operation[]; readonly cleaned: Set<Cleaned> }[] = [];
  const placeOf = new Map<string, number>();
  for (const operation of deletions) {
    const cleaned = cleanedAfter(operation, operations);
    const first = operation.after.reduce((place, id) => Math.max(place, placeOf.get(id) ?? 0), 0);
    const free = groups.findIndex((group, place) => place >= first && !overlap(cleaned, group.cleaned));
    const place = free < 0 ? groups.length : free;
    const group = (groups[place] ??= { operations: [], cleaned: new Set() });
    placeOf.set(operation.id, place);
    group.operations.push(operation);
    for (const urn of cleaned) group.cleaned.add(urn);
  }
  return groups.map((group) => group.operations);
}

/** An entity that the server changes after a deletion. `unnamed` means any entity that the plan does not contain. */
type Cleaned = Urn | "unnamed";

function overlap(one: ReadonlySet<Cleaned>, others: ReadonlySet<Cleaned>): boolean {
  if (one.size === 0 || others.size === 0) return false;
  return one.has("unnamed") || others.has("unnamed") || [...one].some((each) => others.has(each));
}

/** Returns the entities that the server changes after a deletion. */
function cleanedAfter(deletion: Operation, operations: readonly Operation[]): ReadonlySet<Cleaned> {
  const changes = deletionsIn([deletion]);
  const removed = removedReferences(changes, operations);
  return new Set(
    changes.flatMap(({ urn, kind, assignments, assignedTo = [], references = [] }) => {
      const types = kindOf(kind).deletion?.relationships ?? [];
      // The server removes property values with patches, which do not overwrite each other.
      if (types.length === 0) return [];
      const known = new Set(references);
      const edges = assignedTo.flatMap((from) =>
        types.filter((type) => known.has(referenceHash(type, from))).map((type) => ({ type, from })),
      );
      const left = edges.filter(({ type, from }) => removed.get(urn)?.has(`${type} ${from}`) !== true);
      const isNamed = assignments !== undefined && assignments <= edges.length;
      return [...left.map(({ from }) => from), ...(isNamed ? [] : (["unnamed"] as const))];
    }),
  );
}

/**
 * Waits until the server has removed the references to deleted entities that no operation could remove, because they are in
 * unmanaged kinds and aspects. References to soft-deleted entities remain. Returns the references that are still in the index.
 * Throws `CatalogError` if a request fails, or the signal's reason if it is aborted.
 */
export async function awaitReferencesRemoved(
  writer: Writer,
  outcomes: readonly Outcome[],
  polling: PollOptions,
): Promise<readonly ReferencesLeft[]> {
  const applied = outcomes.flatMap(({ status, operation }) => (status === "applied" ? [operation] : []));
  const deletions = deletionsIn(applied);
  const removed = removedReferences(deletions, applied);
  const deleted = deletions.filter(
    ({ urn, kind, assignments }) =>
      kindOf(kind).deletion?.mutation !== undefined &&
      (assignments === undefined || assignments > (removed.get(urn)?.size ?? 0)),
  );
  let left: readonly ReferencesLeft[] = [];
  const { signal } = polling;
  await pollUntilDone(writer, polling, "Waiting for the server to remove the references to", async () => {
    const found = await searchReferrers(writer, deleted, { signal });
    left = deleted.flatMap(({ urn }, index) => {
      const { urns = [], total = 0 } = found[index] ?? {};
      return total > 0 ? [{ urn, count: total, from: urns }] : [];
    });
    return left.map(({ urn }) => urn);
  });
  return left;
}

/** Returns the deletions that operations contain. */
export function deletionsIn(operations: readonly Operation[]): readonly EntityChange[] {
  return operations.flatMap(({ changes }) =>
    changes.flatMap((change) => (!isFacetChange(change) && change.action === "delete" ? [change] : [])),
  );
}
