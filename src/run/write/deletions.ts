import { CatalogError } from "../../model/catalog-error.ts";
import type { Operation } from "../../model/operation.ts";
import type { Urn } from "../../model/urn.ts";
import { referencesRemovedBy } from "../../plan/diff/deletion.ts";
import { referencedDeletions } from "../../plan/diff/reference-removals.ts";
import { operationsOf } from "../../plan/order/operations.ts";
import { recheck } from "../../plan/recheck/recheck.ts";
import { readReferenceRemovals } from "../read/reference-removals.ts";
import { deletableIn, readReferring } from "../read/referring.ts";
import { lookAt } from "./look.ts";
import { lookUntilDone } from "./looks.ts";
import { deletionsIn, removedReferences } from "./removed-references.ts";
import { note, type Run, stopAfter, stopOf } from "./run.ts";

/** Removals of references, and the deletions that come after them. */
interface Deletions {
  readonly removals: readonly Operation[];
  readonly deletions: readonly Operation[];
}

/**
 * Looks at what is to be deleted, and adds the removals of the references to it that the plan saw, which the server would
 * remove after the deletion. None are added for a deletion that cannot be sent: one that is stale, or comes after what was not
 * applied. Where the catalog cannot be looked at, it has failed.
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
    if (error instanceof CatalogError) {
      stopAfter(run, error);
      const words = `not sent: the references to it could not be read: ${error.message}`;
      note(
        run,
        open.map((operation) => ({ status: "failed", operation, error: words })),
      );
    } else if (!run.signal?.aborted) throw error;
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
  const { writer, signal, placed, writes } = run;
  const now = { ...(await lookAt(run, open)), placed, writes };
  const due = open.filter((operation) => recheck(operation, now).left !== undefined);
  const planned = [...others, ...due].flatMap(({ changes }) => changes);
  const changes = await readReferenceRemovals(writer, planned, signal ? { signal } : {});
  // Their numbers are those of other operations.
  return operationsOf({ changes, ...(writes === "conditional" && { writes }) }).map(
    ({ id, after, ...operation }) => ({
      ...operation,
      id: `r${id}`,
      after: after.map((each) => `r${each}`),
    }),
  );
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
 * Waits until the index no longer shows references that were removed from what is to be deleted. What it shows at the deletion
 * the server removes in the background, and with it what the same entities get meanwhile (DeleteEntityService.java). Never
 * throws but for a bug: an interruption ends it, and a server that cannot be asked is found by the look before the deletion.
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
  if (asked.length === 0 || stopOf(run) !== undefined) return;
  const look = async (): Promise<readonly Urn[]> => {
    const answers = await readReferring(writer, asked, signal ? { signal } : {});
    asked = asked.filter(({ urn, kind }) => {
      const answer = answers.get(urn);
      const found = typeof answer === "object" ? deletableIn(answer, kind) : undefined;
      if (typeof found !== "object") return false;
      return found.referring.some(({ type, urn: from }) => removed.get(urn)?.has(`${type} ${from}`));
    });
    return stopOf(run) === undefined ? asked.map(({ urn }) => urn) : [];
  };
  try {
    await lookUntilDone(writer, run, "Waiting until the index shows that references were removed to", look);
  } catch (error) {
    if (error instanceof CatalogError) stopAfter(run, error);
    else if (!signal?.aborted) throw error;
  }
}
