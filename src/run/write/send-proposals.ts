import { groupBy } from "../../model/group-by.ts";
import { aspectKey, type Operation, type Proposal } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import { isDeletion } from "../../plan/order/changes.ts";
import { recheck, type Rechecked } from "../../plan/recheck/recheck.ts";
import { nowStored } from "../../plan/recheck/stored.ts";
import type { AspectWrite, StoredAspect } from "../../datahub/aspect-client.ts";
import { parseJson, stringifyKept } from "../../datahub/json-text.ts";
import { type CurrentState, proposalsIn, readAspects } from "./current-state.ts";
import type { Provenance } from "./apply-edits.ts";
import { createRechecks } from "./rechecks.ts";
import { propose, writeOf } from "./propose.ts";
import { keepRemoved } from "./removed-elements.ts";
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
  const { writer, signal } = run;
  const key = aspectKey(request.urn, request.aspect);
  const first = stored.get(key);
  const besideKey = request.beside && aspectKey(request.urn, request.beside.aspect);
  const firstExtra = stored.get(besideKey ?? "");
  // What comes after this write finds another version.
  stored.delete(key);
  stored.delete(besideKey ?? "");
  let rechecked: Rechecked = { left: operation, settled: [] };
  const narrow = (aspect: StoredAspect): Proposal | undefined => {
    rechecked = recheckStored(run, operation, request, aspect);
    if (rechecked.left) keepRemoved(run, rechecked.left, aspect);
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

/** Who is named as the source of the values that a proposal adds. */
function provenanceOf({ provenance, edited }: Run, { urn, aspect }: Proposal): Provenance | undefined {
  return edited.get(aspectKey(urn, aspect)) ?? provenance;
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
 * Proposals in one request, each on the reading that its changes were compared with. All that change one aspect become one: of
 * several the server keeps only the last, with success (AspectsBatchImpl.java). The server refuses all where it refuses one:
 * then they are read again for the requests that follow.
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
  const prepared = [...ofAspects].map(([key, some]) => preparedFor(run, some, stored.get(key ?? "")));
  const due = prepared.flatMap(({ left }) => left);
  const writes = prepared.flatMap(({ write }) => write ?? []);
  const isWhole = prepared.every(({ left, write }) => left.length === 0 || write);
  const [first, ...more] = writes;
  return {
    settled: prepared.flatMap(({ settled }) => settled),
    due,
    send: async () => {
      // Some may not have been read yet.
      const isReady = first && isWhole;
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

/** What is left of the operations on one aspect by a reading of it, and what is sent for all of them. */
interface Prepared {
  readonly left: readonly Operation[];
  readonly settled: readonly Outcome[];
  readonly write?: AspectWrite;
}

function preparedFor(run: Run, operations: readonly Operation[], aspect: StoredAspect | undefined): Prepared {
  if (!aspect) return { left: operations, settled: [] };
  const rechecked = operations.flatMap((operation) =>
    proposalsIn([operation]).map((request) => recheckStored(run, operation, request, aspect)),
  );
  const left = rechecked.flatMap((each) => each.left ?? []);
  const settled = rechecked.flatMap((each) => each.settled);
  for (const operation of left) keepRemoved(run, operation, aspect);
  const proposal = combined(proposalsIn(left));
  const write = proposal && writeOf(proposal, aspect, provenanceOf(run, proposal));
  if (write) return { left, settled, write };
  const done = left.map((operation): Outcome => ({ status: "applied", operation }));
  return { left: [], settled: [...settled, ...done] };
}

/** One proposal for all that several change in their order; `undefined` of none. They are about the same aspect. */
function combined([first, ...more]: readonly Proposal[]): Proposal | undefined {
  if (!first) return undefined;
  return more.reduce<Proposal>(({ isForAnyVersion, ...all }, next) => {
    const isOfAnyVersion = isForAnyVersion && next.isForAnyVersion;
    return {
      ...all,
      initial: { ...next.initial, ...all.initial },
      set: { ...all.set, ...next.set },
      edits: [...(all.edits ?? []), ...(next.edits ?? [])],
      ...(isOfAnyVersion && { isForAnyVersion: true }),
    };
  }, first);
}

// Numbers that JavaScript cannot represent are compared as their digits, as everywhere.
function valueOf({ value }: StoredAspect): unknown {
  return value && parseJson(stringifyKept(value));
}
