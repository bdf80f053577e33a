import { expect, test } from "vitest";
import { CatalogError } from "../../../src/model/catalog-error.ts";
import type { SetChange } from "../../../src/model/change.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { Outcome } from "../../../src/model/report.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { awaitIndex } from "../../../src/sync/write/deletions.ts";
import type { Run } from "../../../src/sync/write/run-state.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { deleting, type AskedCatalog, catalogOf, tagged } from "./asked-catalog.ts";
import { runOf } from "./run.ts";
import { operationOf } from "./sent-by.ts";

const [pii, old] = ["pii", "old"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn];
const [a, b] = [datasetNamed("a"), datasetNamed("b")];

const world = [
  [pii, "tagProperties", { name: "pii" }],
  [old, "tagProperties", { name: "old" }],
  tagged("a", pii, old),
  tagged("b", pii),
] as const;

function untagging(of: Urn, ...tags: readonly Urn[]): SetChange {
  const about = { action: "update", kind: "Dataset", urn: of, fingerprint: "" } as const;
  return { ...about, shape: "set", facet: "tags", add: [], remove: tags };
}

/** Operations that take tags away from both datasets. */
const removals = [
  operationOf("r1", a, { changes: [untagging(a, pii)] }),
  operationOf("r2", b, { changes: [untagging(b, pii)] }),
];

interface Waiting {
  readonly deletions: readonly Operation[];
  readonly others: readonly Operation[];
  readonly catalog: AskedCatalog;
  readonly more: Partial<Run>;
  /** Called before each look at the index, with its number. */
  readonly onPoll: (poll: number, catalog: AskedCatalog) => unknown;
}

/** Waits for the index, and returns what was waited for and how often each entity was looked at. */
async function waited({ others = removals, onPoll, more, ...asked }: Partial<Waiting> = {}) {
  let poll = 0;
  const catalog = asked.catalog ?? (await catalogOf(world));
  const deletions = asked.deletions ?? [deleting([await catalog.deletionOf(pii)])];
  const told: string[] = [];
  const polls: (readonly string[])[] = [];
  const query: Run["writer"]["query"] = async (document, variables, signal) => {
    poll += 1;
    polls.push(variables["urns"] as readonly string[]);
    await onPoll?.(poll, catalog);
    return await catalog.writer.query(document, variables, signal);
  };
  const run = runOf({ writer: { ...catalog.writer, query }, onWait: (text) => told.push(text), ...more });
  await awaitIndex(run, deletions, others);
  return { told, polls, stopped: run.stopped };
}

const text = `Waiting for the index to show the removal of references to ${pii} (30 s at most)`;
const nothing = { told: [], polls: [], stopped: undefined };

test("it waits until the index shows none of the references that were removed", async () => {
  const found = await waited({
    onPoll: async (poll, { load }) => {
      if (poll === 2) await load(tagged("a"));
      if (poll === 4) await load(tagged("b"));
    },
  });
  expect(found).toEqual({ ...nothing, told: [text], polls: [[pii], [pii], [pii], [pii]] });
});

test("references that were not removed are not waited for", async () => {
  const found = await waited({ onPoll: (_, { load }) => load(tagged("b")), others: removals.slice(1) });
  expect(found).toEqual({ ...nothing, polls: [[pii]] });
});

test("what the index no longer shows is not looked at again", async () => {
  const catalog = await catalogOf(world);
  const deletions = [deleting([await catalog.deletionOf(pii), await catalog.deletionOf(old)])];
  const both = operationOf("r1", a, { changes: [untagging(a, pii, old)] });
  const found = await waited({
    catalog,
    deletions,
    others: [both],
    onPoll: async (poll, { load }) => {
      if (poll === 1) await load(tagged("a", old));
      if (poll === 3) await load(tagged("a"));
    },
  });
  expect(found.polls).toEqual([[pii, old], [old], [old]]);
});

test("only deletions are looked at of which references were removed", async () => {
  const catalog = await catalogOf(world);
  const deletions = [deleting([await catalog.deletionOf(old)]), deleting([await catalog.deletionOf(pii)])];
  const onPoll: Waiting["onPoll"] = (_, { load }) => load(tagged("a"), tagged("b"));
  expect((await waited({ catalog, deletions, onPoll })).polls).toEqual([[pii]]);
  expect(await waited({ others: [] })).toEqual(nothing);
});

test.each<readonly [string, number, readonly Outcome["status"][]]>([
  ["was applied", 1, ["applied"]],
  ["failed", 0, ["failed"]],
  ["is stale in part", 0, ["applied", "stale"]],
])("a deletion after an operation that %s is looked at %i times", async (_, times, statuses) => {
  const catalog = await catalogOf(world);
  const own = statuses.map((status) => ({ status, operation: operationOf("1") }) as Outcome);
  const deletions = [deleting([await catalog.deletionOf(pii)], { after: ["1"] })];
  const onPoll: Waiting["onPoll"] = (_poll, { load }) => load(tagged("a"), tagged("b"));
  const { polls } = await waited({ catalog, deletions, onPoll, more: { outcomes: new Map([["1", own]]) } });
  expect(polls).toHaveLength(times);
});

test("a run that has ended waits for nothing", async () => {
  expect(await waited({ more: { stopped: "lost" } })).toEqual({ ...nothing, stopped: "lost" });
});

test("what cannot be read is not waited for", async () => {
  const catalog = await catalogOf(world);
  const query: Run["writer"]["query"] = async (document, variables, signal) => {
    const answer = await catalog.writer.query(document, variables, signal);
    return {
      data: { entities: [null] },
      errors: [...answer.errors, { message: "no", path: ["entities", 0] }],
    };
  };
  const unread = { ...catalog, writer: { ...catalog.writer, query } };
  expect(await waited({ catalog: unread, deletions: [deleting([await catalog.deletionOf(pii)])] })).toEqual({
    ...nothing,
    polls: [[pii]],
  });
});

test("a server that cannot be asked ends the wait, and a token that is refused the run", async () => {
  const failing = (failure: CatalogError["failure"]): Waiting["onPoll"] => {
    return () => {
      throw new CatalogError(failure, "no");
    };
  };
  expect(await waited({ onPoll: failing("answer") })).toEqual({ ...nothing, polls: [[pii]] });
  expect(await waited({ onPoll: failing("unauthorized") })).toMatchObject({ stopped: "no" });
});

test("a bug is thrown", async () => {
  const onPoll = (): void => {
    throw new TypeError("bug");
  };
  await expect(waited({ onPoll })).rejects.toThrow("bug");
});

test.each([1, 2])("an interruption at look %i ends the wait", async (last) => {
  const interruption = new AbortController();
  let answers = 0;
  const catalog = await catalogOf(world);
  const query: Run["writer"]["query"] = async (document, variables) => {
    const answer = await catalog.writer.query(document, variables);
    answers += 1;
    if (answers === last) interruption.abort();
    return answer;
  };
  const deletions = [deleting([await catalog.deletionOf(pii)])];
  const interrupting = { ...catalog, writer: { ...catalog.writer, query } };
  const more = { signal: interruption.signal };
  const { told, polls } = await waited({ catalog: interrupting, deletions, more });
  expect([told.length, polls.length]).toEqual([last - 1, last]);
});

test("each look ends with the signal of the run", async () => {
  const { signal } = new AbortController();
  const catalog = await catalogOf(world);
  const before = catalog.unsignalled(signal);
  const onPoll: Waiting["onPoll"] = (_, { load }) => load(tagged("a"), tagged("b"));
  const { polls } = await waited({ catalog, onPoll, more: { signal } });
  expect([polls.length, catalog.unsignalled(signal) - before]).toEqual([1, 0]);
});
