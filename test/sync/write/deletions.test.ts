import { expect, test } from "vitest";
import { CatalogError } from "../../../src/model/catalog-error.ts";
import type { FacetChange } from "../../../src/model/change.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { Outcome } from "../../../src/model/report.ts";
import { memberKey } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { withReferenceRemovals } from "../../../src/sync/write/deletions.ts";
import type { Run } from "../../../src/sync/write/run-state.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { type BeforeQuery, deleting, catalogOf, tagged } from "./asked-catalog.ts";
import { runOf } from "./run.ts";
import { operationOf } from "./sent-by.ts";

const [pii, old, unused] = ["pii", "old", "unused"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn, Urn];

const world = [
  [pii, "tagProperties", { name: "pii" }],
  [old, "tagProperties", { name: "old" }],
  tagged("a", pii),
  tagged("b", old),
  tagged("both", pii, old),
] as const;

/** A catalog in which two tags are in use and one is not, and the deletions of all three. */
async function worldWith(beforeQuery?: BeforeQuery) {
  const made = await catalogOf([...world, [unused, "tagProperties", { name: "unused" }]], beforeQuery);
  const deletions = await Promise.all(
    [pii, old, unused].map(async (tag) => deleting([await made.deletionOf(tag)])),
  );
  return { ...made, deletions };
}

/** The removals of references as `dataset -tag`, and what each deletion comes after in these words. */
async function orderedBy(
  run: Run,
  operations: readonly Operation[],
  others: readonly Operation[] = [],
): Promise<{
  readonly removals: readonly string[];
  readonly after: Readonly<Record<string, readonly string[]>>;
}> {
  const { removals, deletions } = await withReferenceRemovals(run, operations, others);
  const words = new Map(removals.map((removal) => [removal.id, wordsOf(removal)]));
  return {
    removals: [...words.values()].toSorted(),
    after: Object.fromEntries(
      deletions.map(({ id, after }) => [
        id.replace("delete urn:li:tag:", ""),
        after.map((each) => words.get(each) ?? each).toSorted(),
      ]),
    ),
  };
}

function wordsOf({ removes = [], changes: [change] }: Operation): string {
  const tags = removes.map((tag) => memberKey(tag).replace("urn:li:tag:", ""));
  return `${change?.urn.split(",")[1]} -${tags.join()}`;
}

test("a deletion comes after the removals of the references that the plan saw to what it deletes", async () => {
  const { writer, deletions } = await worldWith();
  const before = deletions.map((each) => ({ ...each, after: ["1"] }));
  expect(await orderedBy(runOf({ writer }), before)).toEqual({
    removals: ["a -pii", "b -old", "both -old", "both -pii"],
    after: {
      pii: ["1", "a -pii", "both -old", "both -pii"],
      old: ["1", "b -old", "both -old", "both -pii"],
      unused: ["1"],
    },
  });
});

test("what others remove is not removed again", async () => {
  const { writer, deletions } = await worldWith();
  const untagging = {
    action: "update",
    kind: "Dataset",
    urn: datasetNamed("both"),
    fingerprint: "",
  } as const;
  const change: FacetChange = { ...untagging, shape: "set", facet: "tags", add: [], remove: [pii] };
  const planned = operationOf("1", datasetNamed("both"), { changes: [change] });
  const { removals } = await orderedBy(runOf({ writer }), deletions, [planned]);
  expect(removals).toEqual(["a -pii", "b -old", "both -old"]);
});

test("where writes are conditional, so are the removals", async () => {
  const { writer, deletions } = await worldWith();
  const requests = async (run: Run): Promise<ReadonlySet<string>> =>
    new Set((await withReferenceRemovals(run, deletions, [])).removals.map(({ request }) => request.type));
  expect(await requests(runOf({ writer }))).toEqual(new Set(["mutation"]));
  expect(await requests(runOf({ writer, writes: "conditional" }))).toEqual(new Set(["proposal"]));
});

test("only entities are read that may refer to what is deleted", async () => {
  const { writer, asked, deletionOf } = await worldWith();
  const domain = urn("urn:li:domain:finance");
  const deletion = await deletionOf(pii);
  const more = { ...deletion, assignedTo: [...(deletion.assignedTo ?? []), domain] };
  const { removals } = await orderedBy(runOf({ writer }), [deleting([more])]);
  expect(removals).toEqual(["a -pii", "both -pii"]);
  expect(new Set(asked.flatMap(([, ...urns]) => urns))).toEqual(
    new Set([pii, datasetNamed("a"), datasetNamed("both")]),
  );
});

const outcomeOf = (status: Outcome["status"]): Outcome => ({
  status,
  operation: operationOf("1"),
  error: "",
  because: "",
});

test.each<readonly [string, number, readonly Outcome["status"][]]>([
  ["was applied", 4, ["applied"]],
  ["failed", 0, ["failed"]],
  ["is stale in part", 0, ["applied", "stale"]],
  ["has no outcome", 4, []],
])("of deletions after an operation that %s %i references are removed", async (_, count, statuses) => {
  const { writer, asked, deletions } = await worldWith();
  const run = runOf({ writer, outcomes: new Map([["1", statuses.map(outcomeOf)]]) });
  const behind = deletions.map((each) => ({ ...each, after: ["1"] }));
  const { removals } = await orderedBy(run, behind);
  expect([removals.length, asked.length > 0]).toEqual([count, count > 0]);
});

test("nothing is read for deletions without references, or of which the plan does not know who refers to them", async () => {
  const { writer, asked, deletions, deletionOf } = await worldWith();
  const { assignedTo: _, ...unknown } = await deletionOf(pii);
  const operations = [deleting([unknown]), ...deletions.slice(2)];
  expect(await withReferenceRemovals(runOf({ writer }), operations, [])).toEqual({
    removals: [],
    deletions: operations,
  });
  expect(asked).toEqual([]);
});

test("a run that has ended reads nothing", async () => {
  const { writer, asked, deletions } = await worldWith();
  const run = runOf({ writer, stopped: "the server was lost" });
  expect(await withReferenceRemovals(run, deletions, [])).toEqual({ removals: [], deletions });
  expect(asked).toEqual([]);
});

test("a deletion that is stale keeps its references, and the others do not", async () => {
  const { writer, load, deletions } = await worldWith();
  await load([pii, "tagProperties", { name: "pii", description: "in use" }]);
  expect(await orderedBy(runOf({ writer }), deletions)).toEqual({
    removals: ["b -old", "both -old"],
    after: { pii: [], old: ["b -old", "both -old"], unused: [] },
  });
});

test("each reading ends with the signal of the run", async () => {
  const { writer, asked, unsignalled, deletions } = await worldWith();
  const { signal } = new AbortController();
  await withReferenceRemovals(runOf({ writer, signal }), deletions, []);
  expect([asked.length > 1, unsignalled(signal)]).toEqual([true, 0]);
});

/** What becomes of the deletions where reading fails with an error: of what is deleted, or of what refers to it. */
async function failing(what: "deleted" | "referring", thrown: (stop: AbortController) => Error) {
  const interruption = new AbortController();
  const { signal } = interruption;
  const { writer, asked, deletions } = await worldWith((name, urns) => {
    const isDue = what === "deleted" ? name === "ReadReferring" : urns.includes(datasetNamed("a"));
    if (isDue) throw thrown(interruption);
  });
  const run = runOf({ writer, signal });
  const made = await withReferenceRemovals(run, deletions, []);
  expect([made, asked.length > 0]).toEqual([{ removals: [], deletions }, true]);
  const noted = [...run.outcomes].map(([id, [outcome]]) => [
    id,
    outcome?.status === "failed" && outcome.error,
  ]);
  return { noted: Object.fromEntries(noted), stopped: run.stopped };
}

const unread = "not sent: the references to it could not be read: no";

test.each(["deleted", "referring"] as const)(
  "deletions with references fail where the %s entities cannot be read",
  async (what) => {
    const error = new CatalogError("answer", "no");
    expect(await failing(what, () => error)).toEqual({
      noted: { [`delete ${pii}`]: unread, [`delete ${old}`]: unread },
      stopped: undefined,
    });
    const refused = new CatalogError("unauthorized", "no");
    expect(await failing(what, () => refused)).toMatchObject({ stopped: "no" });
  },
);

test.each(["deleted", "referring"] as const)(
  "an interruption while the %s entities are read fails nothing, and a bug is thrown",
  async (what) => {
    const interrupt = (stop: AbortController): Error => {
      stop.abort(new Error("interrupted"));
      return stop.signal.reason as Error;
    };
    expect(await failing(what, interrupt)).toEqual({ noted: {}, stopped: undefined });
    await expect(failing(what, () => new TypeError("bug"))).rejects.toThrow("bug");
  },
);

test("what fails during an interruption has failed", async () => {
  const interrupt = (stop: AbortController): Error => {
    stop.abort(new Error("interrupted"));
    return new CatalogError("answer", "no");
  };
  expect((await failing("referring", interrupt)).noted).toEqual({
    [`delete ${pii}`]: unread,
    [`delete ${old}`]: unread,
  });
});
