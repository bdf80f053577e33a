import type { Live } from "../../../src/model/live.ts";
import { aspectKey, type Operation, type Request } from "../../../src/model/operation.ts";
import type { StoredAspect } from "../../../src/datahub/aspect-client.ts";
import type { Answer, Writer } from "../../../src/datahub/client.ts";
import type { CurrentState } from "../../../src/sync/write/current-state.ts";
import type { Run } from "../../../src/sync/write/run-state.ts";
import { sendRequest } from "../../../src/sync/write/send.ts";
import { datasetNamed } from "../../support/states.ts";
import { runOf } from "./run.ts";

export const [a, b] = [datasetNamed("a"), datasetNamed("b")];
export const mutation: Request = { type: "mutation", field: "x", args: [] };
export const proposal = (of: typeof a): Request => ({
  type: "proposal",
  urn: of,
  aspect: "x",
  initial: {},
  set: { name: "n" },
});

export function operationOf(id: string, of = a, more: Partial<Operation> = {}): Operation {
  return { id, request: mutation, locks: [of], after: [], changes: [], ...more };
}

type Mutate = (document: string) => Promise<Answer>;
type WriteAspects = Writer["aspects"]["write"];

/** A run whose requests are answered in turn; an error is thrown. `sent` counts the aliases or proposals of each. */
export function runWith(
  answers: readonly (Answer | Error)[],
  more: Partial<Run> = {},
): Run & { sent: number[] } {
  const left = [...answers];
  const sent: number[] = [];
  const next = async (count: number): Promise<Answer> => {
    sent.push(count);
    const answer = left.shift() ?? { data: null, errors: [] };
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const mutate: Mutate = (document) => next(document.split(/o\d+: /).length - 1);
  const write = (async (writes: readonly unknown[]) =>
    (await next(writes.length)).data ?? { status: "written" }) as unknown as WriteAspects;
  const aspects = { write, read: async () => storedAs("old") };
  const versions = {
    read: async (reads: readonly { readonly urn: string }[]) =>
      new Map(reads.map(({ urn: of }) => [of, new Map([["x", storedAs("old")]])])),
  };
  const { writer } = runOf();
  return {
    ...runOf({ writer: { ...writer, mutate, aspects, versions } as unknown as Writer, ...more }),
    sent,
  };
}

export const live: Live = { state: new Map(), missing: new Map(), unreadable: new Map(), unmanaged: [] };

export const storedAs = (name: string): StoredAspect => ({ value: { name }, version: "1", actor: undefined });

export function currentState(...stored: readonly (typeof a)[]): CurrentState {
  const aspects = stored.map((of) => [aspectKey(of, "x"), storedAs("old")] as const);
  return { live, stored: new Map(aspects), created: new Set(), moved: new Set() };
}

/** What became of operations: statuses or errors, and what the run knows then. */
export async function sentBy(
  run: Run,
  operations: readonly Operation[],
  current = currentState(),
): Promise<object> {
  const outcomes = await sendRequest(run, current, operations);
  const said = outcomes.map((outcome) => [
    outcome.operation.id,
    outcome.status === "failed" ? outcome.error : outcome.status,
  ]);
  const known = {
    deferred: Object.fromEntries(run.deferred),
    finalChecks: Object.fromEntries(run.finalChecks),
    inDoubt: Object.fromEntries(run.inDoubt),
    pendingLocks: [...run.pendingLocks],
    alone: [...run.sendAlone],
    stopped: run.stopped,
  };
  const found = Object.entries(known).filter(
    ([, value]) => value !== undefined && Object.keys(value).length > 0,
  );
  return { ...Object.fromEntries(said), ...Object.fromEntries(found) };
}
