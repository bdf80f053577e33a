import { expect, test } from "vitest";
import { CatalogError } from "../../../src/model/catalog-error.ts";
import type { SetChange } from "../../../src/model/change.ts";
import type { Outcome } from "../../../src/model/report.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { verifyWrites } from "../../../src/sync/write/verify-writes.ts";
import type { PollOptions } from "../../../src/sync/write/poll.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { type BeforeQuery, deleting, catalogOf, tagged } from "./asked-catalog.ts";
import { operationOf } from "./sent-by.ts";

const [pii, old] = ["pii", "old"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn];
const [a, b] = [datasetNamed("a"), datasetNamed("b")];

const world = [[pii, "tagProperties", { name: "pii" }], tagged("a", pii), tagged("b")] as const;

function tagging(of: Urn, tag: Urn): SetChange {
  const about = { action: "update", kind: "Dataset", urn: of, fingerprint: "" } as const;
  return { ...about, shape: "set", facet: "tags", add: [tag], remove: [] };
}

const outcomeOf = (of: Urn, status: Outcome["status"] = "applied"): Outcome => ({
  status,
  operation: operationOf(of, of, { changes: [tagging(of, pii)], adds: [pii] }),
  error: "no",
  because: "no",
});

/** What is proved in a catalog, and the entities that were read for it. */
async function proving(
  outcomes: readonly Outcome[],
  { before, ...options }: PollOptions & { readonly before?: BeforeQuery } = {},
) {
  const { writer, asked } = await catalogOf(world, before);
  return { proof: await verifyWrites(writer, outcomes, options), read: asked.flatMap(([, ...urns]) => urns) };
}

test("what was written and is not there is read again, and has failed then, and the rest was applied", async () => {
  const { proof, read } = await proving([outcomeOf(a), outcomeOf(b)]);
  const error =
    "not confirmed: the catalog does not show the written values; they were overwritten, or reads lag behind writes";
  expect(proof).toMatchObject({
    outcomes: [outcomeOf(a), { status: "failed", error, expected: [pii], found: [] }],
  });
  expect(Object.keys(proof)).toEqual(["outcomes"]);
  expect(read).toEqual([a, b, b, b, b, b]);
});

test("what is seen only when it is read again was applied", async () => {
  const { writer, load, asked } = await catalogOf(world, async (name) => {
    if (name === "ReadAssets" && asked.length === 3) await load(tagged("b", pii));
  });
  const told: string[] = [];
  const { outcomes } = await verifyWrites(writer, [outcomeOf(a), outcomeOf(b)], {
    onWait: (text) => told.push(text),
  });
  expect(outcomes).toEqual([outcomeOf(a), outcomeOf(b)]);
  expect(asked.map(([, ...urns]) => urns)).toEqual([[a, b], [b], [b]]);
  expect(told).toEqual([`Written, but not visible yet: ${b}; rechecking (5 s at most)`]);
});

test.each(["failed", "skipped", "stale"] as const)("what is %s stays so and is not read", async (status) => {
  const others = outcomeOf(b, status);
  expect(await proving([others, outcomeOf(a)])).toEqual({
    proof: { outcomes: [others, outcomeOf(a)] },
    read: [a],
  });
  expect(await proving([others])).toEqual({ proof: { outcomes: [others] }, read: [] });
});

test("what still refers to what was deleted is told", async () => {
  const { writer, deletionOf } = await catalogOf(world);
  const outcome: Outcome = { ...outcomeOf(a), operation: deleting([await deletionOf(pii)]) };
  const told: string[] = [];
  const { referencesLeft } = await verifyWrites(writer, [outcome], { onWait: (text) => told.push(text) });
  expect(referencesLeft).toEqual([{ urn: pii, count: 1, from: [a] }]);
  expect(told[0]).toBe(`Waiting for the server to remove the references to ${pii} (30 s at most)`);
});

test("an entity that cannot be read stays applied, and the reason is told", async () => {
  const { writer } = await catalogOf(world);
  const query: typeof writer.query = async (document, variables, signal) => {
    const answer = await writer.query(document, variables, signal);
    const entities = (answer.data?.["entities"] ?? []) as readonly object[];
    const rest = entities.map((entity, index) => (index === 0 ? null : entity)) as never;
    return { data: { entities: rest }, errors: [{ message: "no access", path: ["entities", 0] }] };
  };
  const { outcomes, unproved } = await verifyWrites({ ...writer, query }, [outcomeOf(b), outcomeOf(a)]);
  expect(outcomes).toEqual([outcomeOf(b), outcomeOf(a)]);
  expect(unproved).toBe(`${b}: no access`);
});

const throwing =
  (error: Error): BeforeQuery =>
  () => {
    throw error;
  };

test("where nothing can be read, all stays and the reason is told", async () => {
  const outcomes = [outcomeOf(b), outcomeOf(old, "failed")];
  const { proof } = await proving(outcomes, { before: throwing(new CatalogError("answer", "no answer")) });
  expect(proof).toEqual({ outcomes, unproved: "no answer" });
  const bug = await proving(outcomes, { before: throwing(new TypeError("x")) });
  expect(bug.proof).toEqual({ outcomes, unproved: "a bug in datahub-gitops: x" });
});

test("an interruption ends it without a reason", async () => {
  const interruption = new AbortController();
  const before = (): void => interruption.abort();
  const { proof } = await proving([outcomeOf(b)], { before, signal: interruption.signal });
  expect(proof).toEqual({ outcomes: [outcomeOf(b)] });
});

test("an interruption ends the wait for references", async () => {
  const { writer, deletionOf } = await catalogOf(world);
  const outcome: Outcome = { ...outcomeOf(a), operation: deleting([await deletionOf(pii)]) };
  const interruption = new AbortController();
  const slow = { ...writer, retryDelay: 600_000 };
  const onWait = (): void => interruption.abort();
  const proof = await verifyWrites(slow, [outcome], { onWait, signal: interruption.signal });
  expect(proof).toEqual({ outcomes: [outcome] });
});
