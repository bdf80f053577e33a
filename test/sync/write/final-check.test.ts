import { expect, test } from "vitest";
import { CatalogError } from "../../../src/model/catalog-error.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { aspectKey, type Operation } from "../../../src/model/operation.ts";
import type { Outcome } from "../../../src/model/report.ts";
import type { Rechecked } from "../../../src/plan/recheck/recheck.ts";
import type { CurrentState } from "../../../src/sync/write/current-state.ts";
import { finalCheck } from "../../../src/sync/write/final-check.ts";
import type { Run } from "../../../src/sync/write/run-state.ts";
import { urn } from "../../support/states.ts";

const tag = urn("urn:li:tag:a");
const proposal: Operation = {
  id: "1",
  request: { type: "proposal", urn: tag, aspect: "tagProperties", initial: {}, set: { name: "a" } },
  locks: [tag],
  after: [],
  changes: [],
};
const mutation: Operation = { ...proposal, request: { type: "mutation", field: "x", args: [] } };
const outcome = (status: string): Outcome => ({ status, operation: proposal }) as Outcome;

interface Found {
  /** What was read for the operation, and what the server has when it is asked. */
  readonly read?: JsonObject;
  readonly server?: JsonObject | Error;
  readonly signal?: AbortSignal;
}

/** The status after the check of an operation, or its error. */
async function checked(rechecked: Rechecked, { read, server, signal }: Found = {}): Promise<string> {
  const answer = async (): Promise<object> => {
    if (server instanceof Error) throw server;
    return { value: server, version: "1" };
  };
  const run = { writer: { aspects: { read: answer } }, signal, finalChecks: new Map([["1", "boom"]]) };
  const stored = new Map(read && [[aspectKey(tag, "tagProperties"), { value: read, version: "1" }]]);
  const current = { stored } as unknown as CurrentState;
  const found = await finalCheck(run as unknown as Run, current, proposal, rechecked);
  expect(found.operation).toBe(proposal);
  return found.status === "failed" ? found.error : found.status;
}

const failed = new CatalogError("answer", "no");
const left = (operation: Operation): Rechecked => ({ left: operation, settled: [] });

test.each<readonly [string, Rechecked, Found, string]>([
  ["nothing of it is left", { settled: [outcome("applied")] }, {}, "applied"],
  ["a part of it is stale", { settled: [outcome("applied"), outcome("stale")] }, {}, "boom"],
  ["a mutation is left", left(mutation), { read: { name: "a" } }, "boom"],
  ["the aspect was read as planned", left(proposal), { read: { name: "a" } }, "applied"],
  ["the aspect was read otherwise", left(proposal), { read: { name: "b" }, server: { name: "a" } }, "boom"],
  ["the server has the aspect", left(proposal), { server: { name: "a" } }, "applied"],
  ["the server has another aspect", left(proposal), { server: { name: "b" } }, "boom"],
  ["the aspect cannot be read", left(proposal), { server: failed }, "boom"],
  [
    "the apply is interrupted",
    left(proposal),
    { server: new Error("aborted"), signal: AbortSignal.abort() },
    "boom",
  ],
])(
  "an operation that failed counts as applied only where the catalog has it: %s",
  async (_, at, found, expected) => {
    expect(await checked(at, found)).toBe(expected);
  },
);

test("a bug is not taken for a failure of the server", async () => {
  await expect(checked(left(proposal), { server: new TypeError("bug") })).rejects.toThrow("bug");
});
