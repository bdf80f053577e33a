import type { Operation, Proposal } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import { isDeletion } from "../../plan/order/changes.ts";
import { recheck, type Rechecked } from "../../plan/recheck/recheck.ts";
import { nowStored } from "../../plan/recheck/stored.ts";
import type { AspectWrite, StoredAspect } from "../../datahub/aspect-client.ts";
import { parseJson, stringifyKept } from "../../datahub/json-text.ts";
import { aspectKey, type CurrentState, proposalsIn, readAspects } from "./current-state.ts";
import { propose, writeOf } from "./propose.ts";
import type { Run } from "./run-state.ts";

/** What is to be sent in one request, and the outcomes of what is not. The server can refuse a request of several. */
export interface Sending {
  readonly settled: readonly Outcome[];
  readonly due: readonly Operation[];
  readonly send: () => Promise<readonly Outcome[] | "refused">;
}

/** Writes an aspect, each time on the reading that its changes were compared with. */
export async function sendProposal(
  run: Run,
  { stored }: CurrentState,
  operation: Operation,
  request: Proposal,
): Promise<readonly Outcome[]> {
  const { writer, signal, provenance } = run;
  const key = aspectKey(request.urn, request.aspect);
  const first = stored.get(key);
  // What comes after this write finds another version.
  stored.delete(key);
  let rechecked: Rechecked = { left: operation, settled: [] };
  const narrow = (aspect: StoredAspect): Proposal | undefined => {
    rechecked = recheckStored(run, operation, request, aspect);
    return rechecked.left?.request.type === "proposal" ? rechecked.left.request : undefined;
  };
  const error = await propose(writer.aspects, request, { first, narrow, provenance, signal });
  const { left, settled } = rechecked;
  if (!left) return settled;
  const outcome: Outcome =
    error === undefined
      ? { status: "applied", operation: left }
      : { status: "failed", operation: left, error };
  return [outcome, ...settled];
}

/** What is left of a proposal that writes the entity that it is about, by a reading of its aspect. */
function recheckStored(
  { created }: Run,
  operation: Operation,
  request: Proposal,
  aspect: StoredAspect,
): Rechecked {
  const isOfItself = request.urn === operation.changes[0]?.urn;
  // Its status says nothing of what a deletion was computed from.
  if (!isOfItself || isDeletion(operation)) return { left: operation, settled: [] };
  return recheck(operation, nowStored(operation, request, valueOf(aspect), created));
}

/**
 * Proposals of different aspects in one request, each on the reading that its changes were compared with. The server refuses
 * all where it refuses one: then they are read again for the requests that follow.
 */
export function proposalsTogether(
  run: Run,
  { stored }: CurrentState,
  operations: readonly Operation[],
): Sending {
  const prepared = operations.map((operation) => preparedFor(run, operation, stored));
  const due = prepared.flatMap(({ left }) => left ?? []);
  const writes = prepared.flatMap(({ write }) => write ?? []);
  const [first, ...more] = writes;
  return {
    settled: prepared.flatMap(({ settled }) => settled),
    due,
    send: async () => {
      // Some may not have been read yet.
      const isReady = first && writes.length === due.length;
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

/** What is left of an operation by a reading of its aspect, and what is sent for that. */
interface Prepared extends Rechecked {
  readonly write?: AspectWrite;
}

function preparedFor(run: Run, operation: Operation, stored: CurrentState["stored"]): Prepared {
  const [request] = proposalsIn([operation]);
  const aspect = request && stored.get(aspectKey(request.urn, request.aspect));
  if (!aspect) return { left: operation, settled: [] };
  const { left, settled } = recheckStored(run, operation, request, aspect);
  const [proposal] = left ? proposalsIn([left]) : [];
  if (!left || !proposal) return { settled };
  const write = writeOf(proposal, aspect, run.provenance);
  return write ? { left, settled, write } : { settled: [...settled, { status: "applied", operation: left }] };
}

// Numbers that JavaScript cannot represent are compared as their digits, as everywhere.
function valueOf({ value }: StoredAspect): unknown {
  return value && parseJson(stringifyKept(value));
}
