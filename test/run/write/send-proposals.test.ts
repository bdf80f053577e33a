import { expect, test } from "vitest";
import { CatalogError } from "../../../src/model/catalog-error.ts";
import { aspectKey } from "../../../src/run/write/current-state.ts";
import { a, b, currentState, operationOf, proposal, runWith, sentBy, storedAs } from "./sent-by.ts";

const proposals = [a, b].map((of, index) => operationOf(`${index + 1}`, of, { request: proposal(of) }));

test("proposals are written together, each on the reading that it was compared with", async () => {
  const run = runWith([]);
  const current = currentState(a, b);
  expect(await sentBy(run, proposals, current)).toEqual({ 1: "applied", 2: "applied" });
  expect([run.sent, current.stored.size]).toEqual([[2], 0]);
});

test("proposals of which one was not read are sent by themselves", async () => {
  const run = runWith([]);
  expect(await sentBy(run, proposals, currentState(a))).toEqual({ 1: "applied", 2: "applied" });
  expect(run.sent).toEqual([1, 1]);
});

test("proposals that are refused together are sent by themselves", async () => {
  const run = runWith([{ data: { status: "refused", message: "no" }, errors: [] }]);
  expect(await sentBy(run, proposals, currentState(a, b))).toEqual({ 1: "applied", 2: "applied" });
  expect(run.sent).toEqual([2, 1, 1]);
});

test("a proposal that has nothing left to write is applied", async () => {
  const run = runWith([]);
  const current = currentState(a, b);
  current.stored.set(aspectKey(a, "x"), storedAs("n"));
  expect(await sentBy(run, proposals, current)).toEqual({ 1: "applied", 2: "applied" });
  expect(run.sent).toEqual([1]);
});

test("of proposals of which the server failed at one, each is sent by itself", async () => {
  const failed = new CatalogError("http", "500", { status: 500 });
  expect(await sentBy(runWith([failed]), proposals, currentState(a, b))).toMatchObject({
    alone: ["1", "2"],
    deferred: { 1: "500", 2: "500" },
  });
  const cut = new CatalogError("unreachable", "cut off", { isTransient: true });
  const run = runWith([cut]);
  await sentBy(run, proposals, currentState(a, b));
  expect(run.alone.size).toBe(0);
  const single = runWith([failed]);
  await sentBy(single, proposals.slice(0, 1), currentState(a));
  expect(single.alone.size).toBe(0);
});
