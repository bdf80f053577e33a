import { expect, test } from "vitest";
import { CatalogError } from "../../../src/model/catalog-error.ts";
import type { Change } from "../../../src/model/change.ts";
import { scalarOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { fingerprintOf } from "../../../src/plan/notes/fingerprint.ts";
import type { CurrentState } from "../../../src/sync/write/current-state.ts";
import { entityOf, liveOf, stateOf, urn } from "../../support/states.ts";
import { a, currentState, operationOf, runWith, sentBy } from "./sent-by.ts";

const [finance, sales] = ["finance", "sales"].map((id) => urn(`urn:li:domain:${id}`)) as [Urn, Urn];
const seen = fingerprintOf(scalarOf(null), { shape: "scalar" });

function setting(facet: string, after: string, action: "update" | "create" = "update"): Change {
  const about = { action, kind: "Dataset", urn: a, fingerprint: seen } as const;
  return { ...about, shape: "scalar", facet, before: null, after };
}

/** The dataset is in a domain, and has no description. */
const inFinance = { domain: scalarOf(finance), description: scalarOf(null) };
const current: CurrentState = {
  ...currentState(),
  live: liveOf(stateOf(entityOf("Dataset", a, inFinance))),
};
const gone: CurrentState = { ...current, live: liveOf(new Map()) };
const [stale, done, due] = [
  setting("domain", sales),
  setting("domain", finance),
  setting("description", "Orders."),
];
const pending = { pendingLocks: new Set<string>([a]) };
const waiting = { deferred: { 1: undefined }, pendingLocks: [a] };

test.each<readonly [string, readonly Change[], CurrentState, object]>([
  ["that is stale is so at once", [stale], current, { 1: "stale", pendingLocks: [a] }],
  ["whose entity is gone is stale at once", [due], gone, { 1: "stale", pendingLocks: [a] }],
  ["that is done waits", [done], current, waiting],
  ["that is stale and done in parts waits", [stale, done], current, waiting],
  ["that can be sent in part waits", [stale, due], current, waiting],
  [
    "whose new entity was there before waits",
    [setting("description", "Orders.", "create"), stale],
    current,
    waiting,
  ],
])("behind a write that may still be carried out, an operation %s", async (_, changes, now, expected) => {
  expect(await sentBy(runWith([], pending), [operationOf("1", a, { changes })], now)).toEqual(expected);
});

test("after the end of a run what is stale is skipped", async () => {
  const run = runWith([], { stopped: "lost" });
  const operations = [operationOf("1", a, { changes: [stale] })];
  expect(await sentBy(run, operations, current)).toEqual({ 1: "skipped", stopped: "lost" });
});

test("what is left to the next round has no outcome yet, also where a part of it is stale", async () => {
  const cut = new CatalogError("http", "429", { isUndone: true, isTransient: true });
  const operations = [operationOf("1", a, { changes: [stale, due] })];
  expect(await sentBy(runWith([cut]), operations, current)).toEqual({ deferred: { 1: "429" } });
});

test("a bug in the comparison with the catalog is told, and nothing is sent", async () => {
  const run = runWith([]);
  const broken = { ...current, live: { ...current.live, unreadable: undefined as never } };
  expect(await sentBy(run, [operationOf("1", a, { changes: [due] })], broken)).toEqual({
    1: expect.stringMatching(/^not sent: a bug in datahub-gitops: /),
  });
  expect(run.sent).toEqual([]);
});
