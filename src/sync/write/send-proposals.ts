/** Rechecks proposals and writes them, individually or several in one request. */

import { groupBy } from "../../model/group-by.ts";
import { aspectKey, mergedProposal, type Operation, type Proposal } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import { isDeletion } from "../../plan/base/changes.ts";
import { recheck, type Rechecked } from "../../plan/recheck/recheck.ts";
import { nowStored } from "../../plan/recheck/stored.ts";
import type { AspectWrite, StoredAspect } from "../../datahub/aspect-client.ts";
import { type CurrentState, proposalsIn, readAspects } from "./current-state.ts";
import type { Provenance } from "./apply-edits.ts";
import { createRechecks } from "./rechecks.ts";
import { propose, writeOf } from "./propose.ts";
import { exactValueOf, keepRemoved } from "./removed-elements.ts";
import type { Run } from "./run-state.ts";

/**
 * A request to send, and the outcomes of operations that need no request. `send` returns `refused` if the server rejects a
 * request with several operations.
 */
export interface Sending {
  readonly settled: readonly Outcome[];
  readonly due: readonly Operation[];
  readonly send: () => Promise<readonly Outcome[] | "refused">;
}

/** Writes an aspect, based on the same stored value that its changes were compared with. */
export async function sendProposal(
  run: Run,
  { stored }: CurrentState,
  operation: Operation,
  request: Proposal,
): Promise<readonly Outcome[]> {
  const { writer, signal } = run;
  const key = aspectKey(request.urn, request.aspect);
  const first = stored.get(key);
  const extraKey = request.beside && aspectKey(request.urn, request.beside.aspect);
  const firstExtra = stored.get(extraKey ?? "");
  // Later writes must reread the aspect, because its version has changed.
  stored.delete(key);
  stored.delete(extraKey ?? "");
  let rechecked: Rechecked = { left: operation, settled: [] };
  const narrow = (aspect: StoredAspect): Proposal | undefined => {
    const value = exactValueOf(aspect);
    rechecked = recheckStored(run, operation, request, value);
    if (rechecked.left) keepRemoved(run, rechecked.left, value);
    return rechecked.left?.request.type === "proposal" ? rechecked.left.request : undefined;
  };
  const error = await propose(writer.aspects, request, {
    first,
    firstExtra,
    narrow,
    provenance: provenanceOf(run, request),
    signal,
    looks: createRechecks(writer, { signal }, ""),
  });
  const { left, settled } = rechecked;
  if (!left) return settled;
  const outcome: Outcome =
    error === undefined
      ? { status: "applied", operation: left }
      : { status: "failed", operation: left, error };
  return [outcome, ...settled];
}

function provenanceOf({ provenance, edited }: Run, { urn, aspect }: Proposal): Provenance | undefined {
  return edited.get(aspectKey(urn, aspect)) ?? provenance;
}

/** Rechecks an operation against the aspect that was read, if its proposal writes the entity that the operation changes. */
function recheckStored({ created }: Run, operation: Operation, request: Proposal, value: unknown): Rechecked {
  const isOfItself = request.urn === operation.changes[0]?.urn;
  // The status aspect of an entity to be deleted does not show the values that the deletion was computed from.
  if (!isOfItself || isDeletion(operation)) return { left: operation, settled: [] };
  return recheck(operation, nowStored(operation, request, value, created));
}

/**
 * Sends proposals in one request, each based on the same stored value that its changes were compared with. Merges proposals for
 * the same aspect, because the server keeps only the last one and still reports success (AspectsBatchImpl.java). If the server
 * rejects one proposal, it rejects all of them, and their aspects are reread for the following requests.
 */
export function proposalsTogether(
  run: Run,
  { stored }: CurrentState,
  operations: readonly Operation[],
): Sending {
  const ofAspects = groupBy(
    operations,
    (operation) => proposalsIn([operation]).map(({ urn, aspect }) => aspectKey(urn, aspect))[0],
  );
  const prepared = [...ofAspects].map(([key, group]) => preparedFor(run, group, stored.get(key ?? "")));
  const due = prepared.flatMap(({ left }) => left);
  const writes = prepared.flatMap(({ write }) => write ?? []);
  const isComplete = prepared.every(({ left, write }) => left.length === 0 || write);
  const [first, ...more] = writes;
  return {
    settled: prepared.flatMap(({ settled }) => settled),
    due,
    send: async () => {
      // Some aspects may not have been read yet.
      const isReady = first && isComplete;
      const written = isReady && (await run.writer.aspects.write([first, ...more], run.signal));
      const proposals = proposalsIn(due);
      for (const { urn, aspect } of proposals) stored.delete(aspectKey(urn, aspect));
      if (written && written.status === "written") {
        return due.map((operation) => ({ status: "applied", operation }));
      }
      for (const [key, aspect] of await readAspects(run, proposals)) stored.set(key, aspect);
      return "refused";
    },
  };
}

/** The operations on one aspect that are still due after the aspect was read, and one write for all of them. */
interface Prepared {
  readonly left: readonly Operation[];
  readonly settled: readonly Outcome[];
  readonly write?: AspectWrite;
}

function preparedFor(run: Run, operations: readonly Operation[], aspect: StoredAspect | undefined): Prepared {
  if (!aspect) return { left: operations, settled: [] };
  const value = exactValueOf(aspect);
  const rechecked = operations.flatMap((operation) =>
    proposalsIn([operation]).map((request) => recheckStored(run, operation, request, value)),
  );
  const left = rechecked.flatMap((each) => each.left ?? []);
  const settled = rechecked.flatMap((each) => each.settled);
  for (const operation of left) keepRemoved(run, operation, value);
  const [first, ...more] = proposalsIn(left);
  const proposal = first && more.reduce(mergedProposal, first);
  const write = proposal && writeOf(proposal, aspect, provenanceOf(run, proposal));
  if (write) return { left, settled, write };
  const done = left.map((operation): Outcome => ({ status: "applied", operation }));
  return { left: [], settled: [...settled, ...done] };
}
