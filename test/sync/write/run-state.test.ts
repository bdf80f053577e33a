import { expect, test } from "vitest";
import { CatalogError } from "../../../src/model/catalog-error.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { Outcome } from "../../../src/model/report.ts";
import {
  countAttempt,
  failedIfInDoubt,
  failureOf,
  recordOutcome,
  outcomesIfBlocked,
  type Run,
  stopAfter,
  stopReason,
} from "../../../src/sync/write/run-state.ts";
import { urn } from "../../support/states.ts";
import { runOf, type Traffic } from "./run.ts";

const [a, b] = [urn("urn:li:tag:a"), urn("urn:li:tag:b")];

const changeOf = (of: string, action: Change["action"]): Change =>
  ({ action, shape: action === "update" ? "set" : "entity", kind: "Tag", urn: of }) as Change;

function operationOf(id: string, more: Partial<Operation> = {}): Operation {
  return {
    id,
    request: { type: "mutation", field: "x", args: [] },
    locks: [a],
    after: [],
    changes: [changeOf(a, "update")],
    ...more,
  };
}

const second = operationOf("2", { locks: [b], after: ["1"], changes: [changeOf(b, "update")] });

/** Why the second operation is skipped after an outcome of the first. */
function because(
  first: Partial<Operation>,
  status: Outcome["status"],
  own: Partial<Operation> = {},
): unknown {
  const run = runOf();
  const outcome = { status, operation: operationOf("1", first), error: "e", because: "because" } as Outcome;
  recordOutcome(run, [outcome]);
  const [blocked] = outcomesIfBlocked(run, { ...second, ...own }) ?? [];
  return blocked?.status === "skipped" ? blocked.because : blocked;
}

const deletion = { changes: [changeOf(a, "delete")] };

test.each<readonly [string, unknown, string | undefined]>([
  ["that was applied", because({}, "applied"), undefined],
  ["that failed", because({}, "failed"), `it depends on a change to ${a}, which failed`],
  ["that is stale", because({}, "stale"), `it depends on a change to ${a}, which is stale`],
  ["that was skipped", because({}, "skipped"), "because"],
  [
    "that failed to create an entity",
    because({ changes: [changeOf(a, "create")] }, "failed"),
    `${a} could not be created`,
  ],
  [
    "of which the creation is stale",
    because({ changes: [changeOf(a, "create")] }, "stale"),
    `it depends on a change to ${a}, which is stale`,
  ],
  ["without a change", because({ changes: [] }, "failed"), `it depends on a change to ${a}, which failed`],
  [
    "before a deletion",
    because({}, "failed", deletion),
    `deletions run only after all other changes, but a change to ${a} was not applied`,
  ],
  [
    "that is a deletion, too",
    because(deletion, "failed", deletion),
    `it depends on a change to ${a}, which failed`,
  ],
])("what depends on an operation %s", (_, found, expected) => {
  expect(found).toBe(expected);
});

test("what could not be created names what failed in the first place", () => {
  const run = runOf();
  const created = (id: string, of: string, ...after: readonly string[]): Operation =>
    operationOf(id, { after, changes: [changeOf(of, "create")] });
  recordOutcome(run, [{ status: "failed", operation: created("1", a), error: "e" }]);
  const own = created("2", b, "1");
  recordOutcome(run, outcomesIfBlocked(run, own) ?? []);
  expect(outcomesIfBlocked(run, operationOf("3", { after: ["2"] }))).toMatchObject([
    { status: "skipped", because: `${b} could not be created, because ${a} could not be created` },
  ]);
});

test("a failure counts more than what is stale, and that more than what was skipped", () => {
  const run = runOf();
  const operation = operationOf("1");
  recordOutcome(run, [
    { status: "skipped", operation, because: "because" },
    { status: "stale", operation } as Outcome,
  ]);
  const stale = `it depends on a change to ${a}, which is stale`;
  expect(outcomesIfBlocked(run, second)).toMatchObject([{ because: stale }]);
  recordOutcome(run, [{ status: "failed", operation, error: "e" }]);
  expect(outcomesIfBlocked(run, second)).toMatchObject([
    { because: `it depends on a change to ${a}, which failed` },
  ]);
});

test("an operation waits for the next round behind what is left to it, which counts as no try", () => {
  const run = runOf({ deferred: new Map([["1", undefined]]) });
  expect(outcomesIfBlocked(run, second)).toEqual([]);
  expect([...run.deferred.keys()]).toEqual(["1", "2"]);
  expect(run.tries.size).toBe(0);
});

test.each<readonly [string, Run, string]>([
  ["its lock is pending", runOf({ pendingLocks: new Set([b]) }), `an earlier request for ${b} failed`],
  [
    "the server is silent",
    runOf({}, { silent: true }),
    "the server did not respond to earlier requests in time",
  ],
])("an operation waits four rounds at most where %s", (_, run, expected) => {
  const found = Array.from({ length: 5 }, () => outcomesIfBlocked(run, second));
  expect(found.slice(0, 4)).toEqual([[], [], [], []]);
  expect(found[4]).toEqual([{ status: "skipped", operation: second, because: expected }]);
});

test("an operation may be tried five times", () => {
  const run = runOf();
  const tries = Array.from({ length: 6 }, () => countAttempt(run, second));
  expect(tries).toEqual([true, true, true, true, false, false]);
});

const refused = new CatalogError("unauthorized", "refused");
const failed = new CatalogError("answer", "failed");

test.each<readonly [string, CatalogError, Traffic, string | undefined]>([
  ["a refused token", refused, {}, "refused"],
  ["a server that is lost", failed, { lost: true }, "failed"],
  ["another failure", failed, {}, undefined],
])("what stops a run after %s", (_, error, traffic, expected) => {
  const run = runOf({}, traffic);
  expect(failureOf(run, error)).toBe(error);
  expect(stopReason(run)).toBe(expected);
  expect(outcomesIfBlocked(run, second)).toEqual(
    expected === undefined ? undefined : [{ status: "skipped", operation: second, because: expected }],
  );
});

test("the first reason that stops a run stays, before an interruption too", () => {
  const run = runOf({ signal: AbortSignal.abort() });
  expect(stopReason(run)).toBe("interrupted");
  stopAfter(run, refused, "first");
  stopAfter(run, refused);
  expect(stopReason(run)).toBe("first");
});

test("after an interruption a failed reading has no failure, and before it what is a bug is thrown", () => {
  const bug = new TypeError("bug");
  expect(failureOf(runOf({ signal: AbortSignal.abort() }), bug)).toBeUndefined();
  expect(() => failureOf(runOf(), bug)).toThrow(bug);
});

test("what may have been carried out is not skipped, but failed", () => {
  const run = runOf({ inDoubt: new Map([["1", "boom"]]), deferred: new Map([["1", "boom"]]) });
  const operation = operationOf("1");
  const error = "boom; could not determine whether the server executed the operation";
  const skipped: Outcome = { status: "skipped", operation, because: "because" };
  expect(failedIfInDoubt(run, skipped)).toEqual({ status: "failed", operation, error });
  recordOutcome(run, [skipped, { status: "skipped", operation: second, because: "because" }]);
  expect([...run.outcomes.values()]).toEqual([
    [{ status: "failed", operation, error }],
    [{ status: "skipped", operation: second, because: "because" }],
  ]);
  expect(run.deferred.size).toBe(0);
});

test("a run knows what it has created", () => {
  const run = runOf();
  const creating = (id: string, of: string): Operation =>
    operationOf(id, { changes: [changeOf(of, "create")] });
  recordOutcome(run, [
    { status: "applied", operation: creating("1", a) },
    { status: "applied", operation: second },
    { status: "failed", operation: creating("3", b), error: "e" },
  ]);
  expect([...run.created]).toEqual([a]);
});
