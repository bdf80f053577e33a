import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { CatalogError } from "../../../src/model/catalog-error.ts";
import type { Change } from "../../../src/model/change.ts";
import { type Leaf, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { fingerprintOf } from "../../../src/plan/notes/fingerprint.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import { execute } from "../../../src/sync/write/execute.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { type BeforeQuery, type AskedCatalog, catalogOf, tagged } from "./asked-catalog.ts";

const [pii, lost] = ["pii", "lost"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn];
const a = datasetNamed("a");

const world = [
  [pii, "tagProperties", { name: "pii", description: "new" }],
  tagged("a"),
  tagged("b", lost),
] as const;

const tagging: Change = {
  action: "update",
  kind: "Dataset",
  urn: a,
  shape: "set",
  facet: "tags",
  add: [pii],
  remove: [],
  fingerprint: fingerprintOf(setOf([]), { shape: "set", add: [pii], remove: [] }),
};

const removal = fingerprintOf(setOf([lost]), { shape: "set", add: [], remove: [lost] });

/** A change of a field of the tag, which the plan saw with a value. */
function editing(facet: string, before: string, after: string): Change {
  const seen: Leaf = scalarOf(before);
  const fingerprint = fingerprintOf(seen, { shape: "scalar" });
  return { action: "update", kind: "Tag", urn: pii, shape: "scalar", facet, before, after, fingerprint };
}

interface Failing {
  readonly beforeQuery?: BeforeQuery;
  /** Called with what is said of another round. */
  readonly onRetry?: (interruption: AbortController) => void;
  /** What the first answer about the entity has in its place. */
  readonly isUnreadable?: boolean;
  readonly retryDelay?: number;
}

/** What becomes of changes, and what is said meanwhile. */
async function executed(
  changes: readonly Change[],
  { beforeQuery, onRetry, isUnreadable = false, retryDelay = 1 }: Failing = {},
) {
  const { writer } = await catalogOf(world, beforeQuery);
  const told: string[] = [];
  const interruption = new AbortController();
  let isLeft = isUnreadable;
  const query: typeof writer.query = async (...asked) => {
    const answer = await writer.query(...asked);
    if (!isLeft) return answer;
    isLeft = false;
    return { data: { entities: [null] }, errors: [{ message: "no access", path: ["entities", 0] }] };
  };
  const retrying = (text: string): void => {
    told.push(text);
    onRetry?.(interruption);
  };
  const { outcomes } = await execute(
    { ...writer, query, retryDelay, onRetry: retrying },
    operationsOf({ changes }),
    { signal: interruption.signal },
  );
  const said = outcomes.map((each) => {
    if (each.status === "failed") return each.error;
    return each.status === "applied" ? each.status : `${each.status}: ${each.because}`;
  });
  return { outcomes: said, told };
}

const busy = new CatalogError("http", "HTTP 503", { isTransient: true });
const retrying = "Retrying 1 operation: could not reread the catalog: HTTP 503";

/** Fails at the first queries. */
function failingFirst(times: number, error: Error): BeforeQuery {
  let left = times;
  return () => {
    left -= 1;
    if (left >= 0) throw error;
  };
}

test("a reading before a write that fails for the moment is tried again", async () => {
  expect(await executed([tagging], { beforeQuery: failingFirst(2, busy) })).toMatchObject({
    outcomes: ["applied"],
    told: [retrying, retrying],
  });
});

test("one that fails five times has failed, and one that fails for good at once", async () => {
  expect(await executed([tagging], { beforeQuery: failingFirst(99, busy) })).toMatchObject({
    outcomes: ["not sent: could not reread the catalog: HTTP 503"],
    told: [retrying, retrying, retrying, retrying],
  });
  const wrong = new CatalogError("answer", "no JSON");
  expect(await executed([tagging], { beforeQuery: failingFirst(1, wrong) })).toMatchObject({
    outcomes: ["not sent: could not reread the catalog: no JSON"],
    told: [],
  });
});

test("an entity that cannot be read is read again, and the reason is told", async () => {
  expect(await executed([tagging], { isUnreadable: true })).toMatchObject({
    outcomes: ["applied"],
    told: [`Retrying 1 operation: could not reread ${a}: no access`],
  });
});

test("an interruption ends the pause before another reading", async () => {
  const stopped = await executed([tagging], {
    beforeQuery: failingFirst(1, busy),
    onRetry: (interruption) => interruption.abort(),
    retryDelay: 600_000,
  });
  expect(stopped).toMatchObject({
    outcomes: ["could not reread the catalog: HTTP 503"],
    told: [retrying],
  });
});

test("of an operation what was applied comes before what was stale", async () => {
  const { outcomes } = await executed([
    editing("description", "old", "newer"),
    editing("name", "pii", "PII"),
  ]);
  expect(outcomes).toEqual(["applied", expect.stringMatching(/^stale: .*its value was changed after/)]);
});

test("what may not be created again yet is not sent", async () => {
  const creation = { action: "create", kind: "Tag", urn: lost, fingerprint: "" } as const;
  let searches = 0;
  const catalog: AskedCatalog = await catalogOf(world, async (name) => {
    searches += name.startsWith("Search") ? 1 : 0;
    if (searches === 2) await catalog.load(tagged("b"));
  });
  const operations = operationsOf({
    changes: [
      { ...creation, shape: "entity" },
      { ...creation, shape: "scalar", facet: "name", before: null, after: "lost" },
    ],
  });
  const sent: unknown[] = [];
  const write: typeof catalog.writer.aspects.write = async (...writes) => {
    sent.push(writes);
    return await catalog.writer.aspects.write(...writes);
  };
  const aspects = { ...catalog.writer.aspects, write };
  const { outcomes } = await execute({ ...catalog.writer, aspects }, operations);
  expect(outcomes.map(({ status }) => status)).toEqual(operations.map(() => "failed"));
  expect(sent).toEqual([]);
});

test("an operation waits for those before it also where its entity is read apart", async () => {
  const names = Array.from({ length: 101 }, (_, index) => `d${index}`);
  const { writer } = await catalogOf([world[0], ...names.map((name) => tagged(name))]);
  const changes = names.map((name): Change => ({ ...tagging, urn: datasetNamed(name) }));
  const operations = operationsOf({ changes }).map((operation, index, [first]) =>
    index === 100 && first ? { ...operation, after: [first.id] } : operation,
  );
  let inFlight = 0;
  const beside: number[] = [];
  const mutate: typeof writer.mutate = async (document, ...rest) => {
    if (!document.includes("o1:")) beside.push(inFlight);
    inFlight += 1;
    await wait(20);
    const answer = await writer.mutate(document, ...rest);
    inFlight -= 1;
    return answer;
  };
  const { outcomes } = await execute({ ...writer, mutate }, operations);
  expect(outcomes.every(({ status }) => status === "applied")).toBe(true);
  expect(beside).toEqual([0]);
});

test("an interruption ends the run without another round", async () => {
  const { writer } = await catalogOf(world);
  const interruption = new AbortController();
  const told: string[] = [];
  const mutate: typeof writer.mutate = async () => {
    interruption.abort();
    return { data: { o0: null }, errors: [{ message: "busy", path: ["o0"], code: 503 }] };
  };
  const { outcomes } = await execute(
    { ...writer, mutate, onRetry: (text) => told.push(text) },
    operationsOf({ changes: [tagging] }),
    { signal: interruption.signal },
  );
  expect(outcomes).toMatchObject([
    { error: "busy; could not determine whether the server executed the operation" },
  ]);
  expect(told).toEqual([]);
});

test("what waited for a request of its entity that failed is sent after that", async () => {
  const { writer } = await catalogOf(world);
  const told: string[] = [];
  let sent = 0;
  const mutate: typeof writer.mutate = async (...request) => {
    sent += 1;
    if (sent === 1) throw new TypeError("x");
    return await writer.mutate(...request);
  };
  const untagging: Change = {
    ...tagging,
    urn: datasetNamed("b"),
    add: [],
    remove: [lost],
    fingerprint: removal,
  };
  const operations = operationsOf({ changes: [tagging, untagging] }).map((each) => ({ ...each, locks: [a] }));
  const { outcomes } = await execute(
    { ...writer, mutate, retryDelay: 1, onRetry: (text) => told.push(text) },
    operations,
    { batch: 1 },
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["failed", "applied"]);
  expect(told).toEqual(["Retrying 1 operation: earlier requests failed"]);
});
