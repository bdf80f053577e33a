import type { Operation } from "../../model/operation.ts";
import { chunks, groupBy } from "../../model/group-by.ts";

/** Requests that are sent one after the other; a request is a list of mutations, or one proposal. */
export type Lane = readonly (readonly Operation[])[];

/**
 * Packs operations into requests of at most `size`, and these into lanes. Every lock is in one lane only, so lanes can
 * run side by side; what does not fit into one request with others has a lane of several requests.
 */
export function lanesOf(operations: readonly Operation[], size: number): readonly Lane[] {
  const lanes: Lane[] = [];
  let open: Operation[] = [];
  for (const own of groupBy(operations, ({ lock }) => lock).values()) {
    if (own.length > size || own.some(isProposal)) {
      lanes.push(requestsOf(own, size));
      continue;
    }
    if (open.length + own.length > size) {
      lanes.push([open]);
      open = [];
    }
    open.push(...own);
  }
  return open.length > 0 ? [...lanes, [open]] : lanes;
}

function isProposal({ request }: Operation): boolean {
  return request.type === "proposal";
}

/** Runs of mutations in chunks, each proposal by itself, in their order. */
function requestsOf(operations: readonly Operation[], size: number): Lane {
  const runs: Operation[][] = [];
  for (const operation of operations) {
    const last = runs.at(-1);
    if (last && !isProposal(operation) && !last.some(isProposal)) last.push(operation);
    else runs.push([operation]);
  }
  return runs.flatMap((run) => chunks(run, size));
}
