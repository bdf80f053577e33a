/** Prepares deletions and sends them in groups. Removes references first, and waits until the server has cleaned up. */

import type { Change, FacetChange } from "../../model/change.ts";
import type { Operation } from "../../model/operation.ts";
import type { Urn } from "../../model/urn.ts";
import { referencesRemovedBy } from "../../plan/align/deletion.ts";
import {
  referencedDeletions,
  referenceRemovals,
  referringFacets,
} from "../../plan/order/reference-removals.ts";
import { operationsOf } from "../../plan/order/operations.ts";
import { recheck } from "../../plan/recheck/recheck.ts";
import type { Reader } from "../../datahub/client.ts";
import { entityToRead, stateOf } from "../read/entities-to-read.ts";
import { readLive } from "../read/live-state.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { deletableIn, readReferring } from "../read/outgoing-references.ts";
import { readCurrent } from "./current-state.ts";
import { pollUntilDone } from "./poll.ts";
import {
  awaitReferencesRemoved,
  deletionGroups,
  deletionsIn,
  removedReferences,
} from "./removed-references.ts";
import { failureOf, recordOutcome, type Run, stopReason } from "./run-state.ts";

/** The error for operations that depend on references that could not be read. */
export const unreadReferences = "not sent: the references to it could not be read";

interface Deletions {
  readonly removals: readonly Operation[];
  readonly deletions: readonly Operation[];
}

/**
 * Adds operations that remove references to deleted entities if the plan contains these references. The server itself would
 * remove them only after the deletion. A stale or blocked deletion gets no such operations. A deletion whose references cannot be
 * read fails.
 */
export async function withReferenceRemovals(
  run: Run,
  deletions: readonly Operation[],
  others: readonly Operation[],
): Promise<Deletions> {
  const open = deletions.filter(
    (operation) => referencedDeletions(operation.changes).length > 0 && isDue(run, operation),
  );
  if (open.length === 0 || stopReason(run) !== undefined) return { removals: [], deletions };
  try {
    const removals = await removalsFor(run, open, others);
    return { removals, deletions: deletions.map((deletion) => afterRemovals(deletion, removals)) };
  } catch (error) {
    const failure = failureOf(run, error);
    const message = `${unreadReferences}: ${failure?.message}`;
    if (failure)
      recordOutcome(
        run,
        open.map((operation) => ({ status: "failed", operation, error: message })),
      );
    return { removals: [], deletions };
  }
}

function isDue({ outcomes }: Run, { after }: Operation): boolean {
  return after.flatMap((id) => outcomes.get(id) ?? []).every(({ status }) => status === "applied");
}

async function removalsFor(
  run: Run,
  open: readonly Operation[],
  others: readonly Operation[],
): Promise<readonly Operation[]> {
  const { writer, signal, writes } = run;
  const current = await readCurrent(run, open);
  const due = open.filter((operation) => recheck(operation, current).left !== undefined);
  const planned = [...others, ...due].flatMap(({ changes }) => changes);
  const changes = await readReferenceRemovals(writer, planned, { signal });
  for (const [aspect, provenance] of (await run.findEdited?.(changes)) ?? [])
    run.edited.set(aspect, provenance);
  // The prefix `r` avoids collisions with operation ids in the plan.
  return operationsOf({ changes, ...(writes === "conditional" && { writes }) }, run.edited).map(
    ({ id, after, ...operation }) => ({
      ...operation,
      id: `r${id}`,
      after: after.map((each) => `r${each}`),
    }),
  );
}

/**
 * Computes the removals of references to deleted entities from the current state of the referrers. Includes only references that
 * the plan contains. Skips referrers that cannot be read.
 */
async function readReferenceRemovals(
  reader: Reader,
  changes: readonly Change[],
  options: ReadOptions,
): Promise<readonly FacetChange[]> {
  const deletions = referencedDeletions(changes);
  const assigned = [...new Set(deletions.flatMap(({ assignedTo }) => assignedTo))];
  const referrers = assigned
    .flatMap((urn) => entityToRead(urn, (kind) => referringFacets(kind, deletions)))
    .filter(({ facets }) => facets.size > 0);
  return referenceRemovals(changes, await readLive(reader, stateOf(referrers), options));
}

/** Makes a deletion wait for the removal of references to its entities. */
function afterRemovals(deletion: Operation, removals: readonly Operation[]): Operation {
  const deleted = new Set<string>(deletion.changes.map(({ urn }) => urn));
  const own = removals.filter(({ changes }) =>
    changes.flatMap(referencesRemovedBy).some(({ to }) => deleted.has(to)),
  );
  return { ...deletion, after: [...deletion.after, ...own.map(({ id }) => id)] };
}

/**
 * Sends deletions in groups. Deletions that make the server change the same entities are sent one after another. After each
 * group, waits until nothing refers to its entities.
 */
export async function deleteInGroups(
  run: Run,
  deletions: readonly Operation[],
  others: readonly Operation[],
  send: (group: readonly Operation[]) => Promise<void>,
): Promise<void> {
  const groups = deletionGroups(deletions, others);
  for (const [place, group] of groups.entries()) {
    await send(group);
    if (place + 1 < groups.length && stopReason(run) === undefined)
      await awaitCleanUp(run, [...others, ...group]);
  }
}

/** Waits until nothing refers to the deleted entities. Stops waiting if a request fails. */
async function awaitCleanUp(run: Run, operations: readonly Operation[]): Promise<void> {
  const outcomes = operations.flatMap(({ id }) => run.outcomes.get(id) ?? []);
  try {
    await awaitReferencesRemoved(run.writer, outcomes, run);
  } catch (error) {
    failureOf(run, error);
  }
}

/**
 * Waits until the index no longer shows removed references. After a deletion, the server works in the background: it removes the
 * references that are in the index, including new references from the same entities (DeleteEntityService.java). Stops waiting if
 * a request fails or the run is interrupted.
 */
export async function awaitIndex(
  run: Run,
  deletions: readonly Operation[],
  others: readonly Operation[],
): Promise<void> {
  const { writer, signal } = run;
  const due = deletionsIn(deletions.filter((operation) => isDue(run, operation)));
  const removed = removedReferences(due, others);
  let awaited = due.filter(({ urn }) => removed.has(urn));
  if (stopReason(run) !== undefined) return;
  const referredTo = async (): Promise<readonly Urn[]> => {
    const answers = await readReferring(writer, awaited, { signal });
    awaited = awaited.filter(({ urn, kind }) => {
      const answer = answers.get(urn);
      const found = typeof answer === "object" ? deletableIn(answer, kind) : undefined;
      if (typeof found !== "object") return false;
      return found.referring.some(({ type, urn: from }) => removed.get(urn)?.has(`${type} ${from}`));
    });
    return stopReason(run) === undefined ? awaited.map(({ urn }) => urn) : [];
  };
  try {
    await pollUntilDone(
      writer,
      run,
      "Waiting for the index to show the removal of references to",
      referredTo,
    );
  } catch (error) {
    failureOf(run, error);
  }
}
