import { expect, test } from "vitest";
import { CatalogError } from "../../../src/model/catalog-error.ts";
import { aspectKey, type Operation, type Request } from "../../../src/model/operation.ts";
import { scalarOf } from "../../../src/model/state.ts";
import { fingerprintOf } from "../../../src/plan/notes/fingerprint.ts";
import type { CurrentState } from "../../../src/sync/write/current-state.ts";
import { entityOf, liveOf, stateOf, urn } from "../../support/states.ts";
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
  expect(run.sendAlone.size).toBe(0);
  const single = runWith([failed]);
  await sentBy(single, proposals.slice(0, 1), currentState(a));
  expect(single.sendAlone.size).toBe(0);
});

test("proposals that change the same aspect become one, which is applied for all of them", async () => {
  const run = runWith([]);
  const twice = [
    ...proposals,
    operationOf("3", a, { request: { ...proposal(a), set: { other: "m" } } as Request }),
  ];
  expect(await sentBy(run, twice, currentState(a, b))).toEqual({ 1: "applied", 2: "applied", 3: "applied" });
  expect(run.sent).toEqual([2]);
});

const pii = urn("urn:li:tag:pii");

/** A proposal for the name of a tag, planned when that was `before`. */
function renaming(before: string, of = pii): Operation {
  const fingerprint = fingerprintOf(scalarOf(before), { shape: "scalar" });
  const request: Request = {
    type: "proposal",
    urn: of,
    aspect: "tagProperties",
    initial: {},
    set: { name: "PII" },
  };
  const about = { action: "update", kind: "Tag", urn: pii, fingerprint } as const;
  const change = { ...about, shape: "scalar", facet: "name", before, after: "PII" } as const;
  return operationOf(before, pii, { request, changes: [change] });
}

const tag = entityOf("Tag", pii, { name: scalarOf("pii") });
const currentTag = (stored: string, of = pii): CurrentState => ({
  ...currentState(),
  live: liveOf(stateOf(tag)),
  stored: new Map([[aspectKey(of, "tagProperties"), storedAs(stored)]]),
});

test("a proposal is compared once more with the aspect that it is written on", async () => {
  expect(await sentBy(runWith([]), [renaming("pii")], currentTag("pii"))).toEqual({ pii: "applied" });
  const run = runWith([]);
  expect(await sentBy(run, [renaming("pii")], currentTag("other"))).toEqual({ pii: "stale" });
  expect(run.sent).toEqual([]);
});

test("a proposal for the aspect of another entity is not compared with that", async () => {
  const user = urn("urn:li:corpuser:ann");
  expect(await sentBy(runWith([]), [renaming("pii", user)], currentTag("other", user))).toEqual({
    pii: "applied",
  });
});

test("a proposal is written on the reading that is there, without another", async () => {
  const run = runWith([]);
  const current = currentState();
  current.stored.set(aspectKey(a, "x"), storedAs("n"));
  expect(await sentBy(run, proposals.slice(0, 1), current)).toEqual({ 1: "applied" });
  expect(run.sent).toEqual([]);
});

test("a single proposal that is refused has failed", async () => {
  const refused = { data: { status: "refused", message: "no" }, errors: [] };
  const run = runWith([refused, refused]);
  expect(await sentBy(run, proposals.slice(0, 1), currentState(a))).toEqual({ 1: "no" });
});
