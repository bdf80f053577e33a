import type { Change, FacetChange } from "../../model/change.ts";
import type { Operation } from "../../model/operation.ts";
import type { Urn } from "../../model/urn.ts";
import { referencesRemovedBy } from "../../plan/diff/deletion.ts";
import {
  referencedDeletions,
  referenceRemovals,
  referringFacets,
} from "../../plan/diff/reference-removals.ts";
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
import { failureOf, recordOutcome, type Run, stopOf } from "./run-state.ts";

/** Why what depends on the references to an entity is not sent. */
export const unreadReferences = "not sent: the references to it could not be read";

/** Removals of references, and the deletions that come after them. */
interface Deletions {
  readonly removals: readonly Operation[];
  readonly deletions: readonly Operation[];
}

/**
 * Adds the removals of the references that the plan saw to what is to be deleted: the server would remove them after the
 * deletion. A stale or blocked deletion gets none; one whose references cannot be read has failed.
 */
export async function referencesFirst(
  run: Run,
  deletions: readonly Operation[],
  others: readonly Operation[],
): Promise<Deletions> {
  const open = deletions.filter(
    (operation) => referencedDeletions(operation.changes).length > 0 && isDue(run, operation),
  );
  if (open.length === 0 || stopOf(run) !== undefined) return { removals: [], deletions };
  try {
    const removals = await removalsFor(run, open, others);
    return { removals, deletions: deletions.map((deletion) => behind(deletion, removals)) };
  } catch (error) {
    const failure = failureOf(run, error);
    const words = `${unreadReferences}: ${failure?.message}`;
    if (failure)
      recordOutcome(
        run,
        open.map((operation) => ({ status: "failed", operation, error: words })),
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
  const { writer, signal, moved, writes } = run;
  const now = { ...(await readCurrent(run, open)), moved, writes, edited: run.edited };
  const due = open.filter((operation) => recheck(operation, now).left !== undefined);
  const planned = [...others, ...due].flatMap(({ changes }) => changes);
  const changes = await readReferenceRemovals(writer, planned, { signal });
  for (const [aspect, provenance] of (await run.findEdited?.(changes)) ?? [])
    run.edited.set(aspect, provenance);
  // Prefix `r`: these ids would collide with the plan's.
  return operationsOf({ changes, ...(writes === "conditional" && { writes }) }, run.edited).map(
    ({ id, after, ...operation }) => ({
      ...operation,
      id: `r${id}`,
      after: after.map((each) => `r${each}`),
    }),
  );
}

/**
 * The removals of the references that the plan saw to what it deletes, by the referrers as they are now. Of a referrer that
 * cannot be read there are none.
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

/** A deletion after the removals of the references to what it deletes. */
function behind(deletion: Operation, removals: readonly Operation[]): Operation {
  const deleted = new Set<string>(deletion.changes.map(({ urn }) => urn));
  const own = removals.filter(({ changes }) =>
    changes.flatMap(referencesRemovedBy).some(({ to }) => deleted.has(to)),
  );
  return { ...deletion, after: [...deletion.after, ...own.map(({ id }) => id)] };
}

/**
 * Carries out deletions with `send`: those after which the server changes the same entities one after the other, each when the
 * references to the one before are gone.
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
    if (place + 1 < groups.length && stopOf(run) === undefined)
      await awaitCleanUp(run, [...others, ...group]);
  }
}

/** Waits until nothing refers to what some operations have deleted. A server that cannot be asked ends the wait. */
async function awaitCleanUp(run: Run, operations: readonly Operation[]): Promise<void> {
  const outcomes = operations.flatMap(({ id }) => run.outcomes.get(id) ?? []);
  try {
    await awaitReferencesRemoved(run.writer, outcomes, run);
  } catch (error) {
    failureOf(run, error);
  }
}

/**
 * Waits until the index no longer shows references that were removed from what is to be deleted: the server removes what it
 * shows at the deletion in the background, and with it what the same entities get meanwhile (DeleteEntityService.java). A server
 * that cannot be asked, or an interruption, ends the wait.
 */
export async function awaitIndex(
  run: Run,
  deletions: readonly Operation[],
  others: readonly Operation[],
): Promise<void> {
  const { writer, signal } = run;
  const due = deletionsIn(deletions.filter((operation) => isDue(run, operation)));
  const removed = removedReferences(due, others);
  let asked = due.filter(({ urn }) => removed.has(urn));
  if (stopOf(run) !== undefined) return;
  const referredTo = async (): Promise<readonly Urn[]> => {
    const answers = await readReferring(writer, asked, { signal });
    asked = asked.filter(({ urn, kind }) => {
      const answer = answers.get(urn);
      const found = typeof answer === "object" ? deletableIn(answer, kind) : undefined;
      if (typeof found !== "object") return false;
      return found.referring.some(({ type, urn: from }) => removed.get(urn)?.has(`${type} ${from}`));
    });
    return stopOf(run) === undefined ? asked.map(({ urn }) => urn) : [];
  };
  try {
    await pollUntilDone(
      writer,
      run,
      "Waiting until the index shows that references were removed to",
      referredTo,
    );
  } catch (error) {
    failureOf(run, error);
  }
}
