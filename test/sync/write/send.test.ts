import { expect, test } from "vitest";
import { CatalogError } from "../../../src/model/catalog-error.ts";
import type { Request } from "../../../src/model/operation.ts";
import type { Answer } from "../../../src/datahub/client.ts";
import { urn } from "../../support/states.ts";
import { a, b, currentState, live, mutation, operationOf, runWith, sentBy } from "./sent-by.ts";

const answer = (data: Answer["data"], ...errors: Answer["errors"]): Answer => ({ data, errors });
const fault = (code?: number): Answer["errors"][number] => ({
  message: "no",
  path: ["o0"],
  ...(code !== undefined && { code }),
});
const one = [operationOf("1")];
const unknown = "could not determine whether the server executed the operation";

test.each<readonly [string, Answer | Error, object]>([
  ["is confirmed", answer({ o0: true }), { 1: "applied" }],
  ["is not confirmed", answer({ o0: false }), { 1: "the server did not confirm the change" }],
  ["is refused", answer({ o0: null }, fault(400)), { 1: "no" }],
  ["is refused without a code", answer({ o0: null }, fault()), { 1: "no" }],
  [
    "is forbidden",
    answer({ o0: null }, fault(403)),
    { 1: 'no; the token needs the privilege EDIT_ENTITY ("Edit Entity") on the entity' },
  ],
  [
    "fails in the server and may be sent again",
    answer({ o0: null }, fault(500)),
    { deferred: { 1: "no" }, inDoubt: { 1: "no" } },
  ],
  [
    "fails in the server for good",
    answer({ o0: null }, fault(501)),
    { deferred: { 1: "no" }, finalChecks: { 1: "no" }, inDoubt: { 1: "no" } },
  ],
  ["fails before it is carried out", answer(null, { message: "not valid" }), { 1: "not valid" }],
  [
    "is refused with HTTP",
    new CatalogError("http", "403", { status: 403 }),
    {
      1: '403; the token needs the privilege EDIT_ENTITY ("Edit Entity") on the entity',
      pendingLocks: [a],
    },
  ],
  ["is certainly not carried out", new CatalogError("http", "400", { isUndone: true }), { 1: "400" }],
  [
    "is not carried out, and may be later",
    new CatalogError("http", "429", { isUndone: true, isTransient: true, status: 429 }),
    { deferred: { 1: "429" } },
  ],
  [
    "is cut off",
    new CatalogError("unreachable", "cut off", { isTransient: true }),
    { deferred: { 1: "cut off" }, inDoubt: { 1: "cut off" }, pendingLocks: [a] },
  ],
  [
    "fails with HTTP in the server",
    new CatalogError("http", "500", { status: 500 }),
    { deferred: { 1: "500" }, finalChecks: { 1: "500" }, inDoubt: { 1: "500" }, pendingLocks: [a] },
  ],
  [
    "fails with HTTP before",
    new CatalogError("http", "499", { status: 499 }),
    { 1: "499", pendingLocks: [a] },
  ],
  [
    "is not authorized",
    new CatalogError("unauthorized", "refused", { isUndone: true }),
    { 1: "refused", stopped: "refused" },
  ],
  ["meets a bug", new TypeError("bug"), { 1: `a bug in datahub-gitops: bug; ${unknown}`, pendingLocks: [a] }],
])("a mutation that %s", async (_, each, expected) => {
  expect(await sentBy(runWith([each]), one)).toEqual(expected);
});

test("what was tried five times and may have been carried out is checked once more", async () => {
  const cut = new CatalogError("unreachable", "cut off", { isTransient: true });
  const run = runWith([cut], { tries: new Map([["1", 4]]) });
  expect(await sentBy(run, one)).toMatchObject({ finalChecks: { 1: `cut off; ${unknown}` } });
  const busy = runWith([answer({ o0: null }, fault(503))], { tries: new Map([["1", 4]]) });
  expect(await sentBy(busy, one)).toMatchObject({ finalChecks: { 1: "no" } });
});

test("a mutation of an entity is confirmed by what it has written", async () => {
  const selecting = [operationOf("1", a, { request: { ...mutation, selection: "urn" } as Request })];
  expect(await sentBy(runWith([answer({ o0: { urn: a } })]), selecting)).toEqual({ 1: "applied" });
  expect(await sentBy(runWith([answer({ o0: true })]), selecting)).toMatchObject({
    1: "the server did not confirm the change",
  });
});

const four = ["1", "2", "3", "4"].map((id) => operationOf(id, id === "4" ? b : a));
const done = (count: number): Answer =>
  answer(Object.fromEntries(Array.from({ length: count }, (_, index) => [`o${index}`, true])));
const allApplied = { 1: "applied", 2: "applied", 3: "applied", 4: "applied" };

test.each<readonly [string, Answer | Error]>([
  ["is too large", new CatalogError("http", "413", { status: 413, isUndone: true })],
  ["is too complex", answer(null, { message: "too complex" })],
])("a request that %s is sent in halves", async (_, first) => {
  const run = runWith([first, done(2), done(2)]);
  expect(await sentBy(run, four)).toEqual(allApplied);
  expect(run.sent).toEqual([4, 2, 2]);
});

test("a request of one that is too large fails", async () => {
  const tooLarge = new CatalogError("http", "413", { status: 413, isUndone: true });
  expect(await sentBy(runWith([tooLarge]), one)).toEqual({ 1: "413" });
});

test.each<readonly [string, Answer]>([
  ["has data", answer({ o0: true, o1: null }, { message: "no" })],
  ["has no errors", answer(null)],
  ["has an error at an alias", answer(null, { message: "no" }, { message: "one", path: ["o0"] })],
])("an answer that %s is of each operation", async (_, given) => {
  const run = runWith([given]);
  await sentBy(run, four.slice(0, 2));
  expect(run.sent).toEqual([2]);
});

test("of a request that ends at a refused mutation, what comes after it is sent, and what came before it is read again", async () => {
  const end = { message: "refused", path: ["o1"], code: 400 };
  const run = runWith([answer(null, end), done(2)]);
  expect(await sentBy(run, four)).toMatchObject({
    2: "refused",
    3: "applied",
    4: "applied",
    alone: ["2"],
    inDoubt: { 1: "the server rejected another change in the same request" },
  });
  expect([...run.deferred.keys()]).toEqual(["1"]);
  expect(run.sent).toEqual([4, 2]);
});

test("of a request that ends at a mutation, one before it that was refused has its own reason", async () => {
  const errors = [
    { ...fault(400), message: "first" },
    { message: "second", path: ["o3"], code: 400 },
  ];
  const run = runWith([answer(null, ...errors)]);
  expect(await sentBy(run, four)).toMatchObject({ 1: "first", 4: "second" });
  expect([...run.deferred.keys()]).toEqual(["2", "3"]);
  expect(run.sent).toEqual([4]);
});

test("after a first half that may still be carried out nothing more is sent for its entity", async () => {
  const cut = new CatalogError("http", "500", { status: 500 });
  const run = runWith([answer(null, { message: "too complex" }), cut, done(1)]);
  expect(await sentBy(run, four)).toMatchObject({ 4: "applied", pendingLocks: [a] });
  expect(run.sent).toEqual([4, 2, 1]);
  expect([...run.deferred.keys()]).toEqual(["1", "2", "3"]);
});

test("an interruption skips what is sent", async () => {
  const controller = new AbortController();
  const reason = new Error("stop");
  const run = runWith([reason], { signal: controller.signal });
  controller.abort(reason);
  const current = currentState();
  expect(await sentBy({ ...run, stopped: undefined }, one, current)).toEqual({ 1: "skipped" });
});

const tag = urn("urn:li:tag:new");
const creating = operationOf("1", a, {
  changes: [{ action: "create", shape: "entity", kind: "Tag", urn: tag, fingerprint: "" }],
});

test("an entity whose creation may have been carried out is perhaps created", async () => {
  const run = runWith([new CatalogError("http", "500", { status: 500 })]);
  await sentBy(run, [creating]);
  expect([...run.maybeCreated]).toEqual([tag]);
});

test("an entity that only changes is not perhaps created", async () => {
  const run = runWith([new CatalogError("http", "500", { status: 500 })]);
  const changes = creating.changes.map((change) => ({ ...change, action: "update" as const, urn: b }));
  await sentBy(run, [
    { ...creating, changes: [...creating.changes, ...(changes as typeof creating.changes)] },
  ]);
  expect([...run.maybeCreated]).toEqual([tag]);
});

test("an error that is of no operation is that of those that have none of their own", async () => {
  const given = answer({ o0: null, o1: null }, { message: "one", path: ["o1"] }, { message: "all" });
  expect(await sentBy(runWith([given]), four.slice(0, 2))).toEqual({ 1: "all", 2: "one" });
});

test("a refusal names the privilege for what the operation changes", async () => {
  const members = operationOf("1", a, {
    changes: [
      { action: "create", shape: "entity", kind: "Domain", urn: urn("urn:li:domain:x"), fingerprint: "" },
    ],
  });
  expect(await sentBy(runWith([answer({ o0: null }, fault(403))]), [members])).toEqual({
    1: expect.stringMatching(/^no; the token needs the privilege .*"Manage Domains"/),
  });
});

test("what could not be read is left to the next round, five times at most", async () => {
  const updating = operationOf("1", a, {
    changes: [
      {
        action: "update",
        shape: "scalar",
        facet: "domain",
        kind: "Dataset",
        urn: a,
        fingerprint: "",
        before: null,
        after: null,
      },
    ],
  });
  const unreadable = { ...live, unreadable: new Map([[a, "no"]]) };
  const current = { ...currentState(), live: unreadable };
  const run = runWith([]);
  expect(await sentBy(run, [updating], current)).toEqual({
    deferred: { 1: `could not reread ${a}: no` },
  });
  const last = runWith([], { tries: new Map([["1", 4]]) });
  expect(await sentBy(last, [updating], current)).toEqual({
    1: `not sent: could not reread ${a}: no`,
  });
});
