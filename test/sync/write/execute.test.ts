import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { execute } from "../../../src/sync/write/execute.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { datasetNamed } from "../../support/states.ts";
import type { StubRequest } from "../../support/stub-server.ts";
import { meetingOf } from "../../support/meeting.ts";
import { after, allTrue, operation, stub, writerFor } from "./stubbed.ts";
import { counted, runsOf } from "../../support/runs.ts";

test("each alias has its own outcome, in the order of the operations", async () => {
  const url = await stub(() => ({
    data: { o0: true, o1: null, o2: false },
    errors: [{ message: "Tag does not exist.", path: ["o1"], extensions: { code: 400 } }],
  }));
  const { outcomes } = await execute(
    writerFor(url),
    ["a", "b", "c"].map((name) => operation(name, name)),
  );
  expect(outcomes.map(({ status, operation: { id } }) => [id, status])).toEqual([
    ["a", "applied"],
    ["b", "failed"],
    ["c", "failed"],
  ]);
  expect(outcomes[1]).toMatchObject({ error: "Tag does not exist." });
});

test("an error that belongs to no alias fails all that were not confirmed", async () => {
  const url = await stub(() => ({ data: null, errors: [{ message: "maximum query complexity exceeded" }] }));
  const { outcomes } = await execute(writerFor(url), [operation("1", "a")]);
  expect(outcomes).toMatchObject([{ status: "failed", error: "maximum query complexity exceeded" }]);
});

test("after a request that failed as a whole nothing more is sent for its entity until the others are done", async () => {
  const sent: string[] = [];
  const url = await stub((request, response) => {
    sent.push(...new Set(Object.values(request.variables).map((each) => String(each).split(",")[1] ?? "")));
    if (!JSON.stringify(request.variables).includes(",a,")) return allTrue(request);
    response.writeHead(500).end("boom");
    return undefined;
  });
  const own = ["1", "2", "3"].map((id) => operation(id, "a"));
  const { outcomes } = await execute(writerFor(url), [...own, operation("4", "b")], { batch: 2 });
  expect(outcomes.map(({ status }) => status)).toEqual(["failed", "failed", "failed", "applied"]);
  expect(sent).toEqual(["a", "b", "a"]);
});

/** Answers that each alias was carried out, but for those about a dataset that is failing. */
function failing(...names: readonly string[]): (request: StubRequest) => object {
  return ({ variables }) => {
    const entries = Object.entries(variables).map(([name, value]): [string, boolean] => {
      return [name.split("_")[0] ?? "", !names.some((id) => String(value).includes(`,${id},`))];
    });
    return { data: Object.fromEntries(entries) };
  };
}

test("what comes after a failed operation is skipped and names it, and so is what comes after that", async () => {
  const url = await stub(failing("a"));
  const operations = [
    operation("a", "a"),
    operation("b", "b"),
    after(operation("c", "c"), "a", "b"),
    after(operation("d", "d"), "b"),
    after(operation("e", "e"), "c"),
  ];

  const { outcomes } = await execute(writerFor(url), operations);

  expect(outcomes.map(({ status }) => status)).toEqual([
    "failed",
    "applied",
    "skipped",
    "applied",
    "skipped",
  ]);
  const because = `it depends on a change to ${datasetNamed("a")}, which failed`;
  expect(outcomes[2]).toMatchObject({ because });
  expect(outcomes[4]).toMatchObject({ because });
});

test("an operation is sent when those before it have been answered, in a request of its own", async () => {
  const seen: number[] = [];
  const url = await stub((request) => {
    seen.push(Object.keys(request.variables).length);
    return allTrue(request);
  });
  const operations = [
    operation("a", "a"),
    after(operation("b", "a"), "a"),
    operation("c", "c"),
    after(operation("d", "d"), "b"),
  ];

  const { outcomes } = await execute(writerFor(url), operations);

  expect(outcomes.map(({ status }) => status)).toEqual(operations.map(() => "applied"));
  expect(seen).toEqual([2, 1, 1]);
});

test("a deletion is held back by what was not applied before it, and says so", async () => {
  const url = await stub(failing("a"));
  const deletion = (id: string): Operation => {
    const urn = datasetNamed(id);
    return {
      ...operation(id, id),
      changes: [{ action: "delete", shape: "entity", kind: "Domain", urn, fingerprint: "" }],
    };
  };
  const below = after(deletion("x"), "a", "b");

  const { outcomes } = await execute(writerFor(url), [
    operation("a", "a"),
    operation("b", "b"),
    below,
    after(deletion("y"), "x"),
  ]);

  expect(outcomes.map(({ status }) => status)).toEqual(["failed", "applied", "skipped", "skipped"]);
  const because = `deletions run only after all other changes, but a change to ${datasetNamed("a")} was not applied`;
  expect(outcomes[2]).toMatchObject({ because });
  expect(outcomes[3]).toMatchObject({ because });
});

test("a refused token stops the run, and each operation still has an outcome", async () => {
  let requests = 0;
  const url = await stub((_, response) => {
    requests += 1;
    response.writeHead(401).end();
  });
  const operations = Array.from({ length: 6 }, (_, index) => operation(`${index}`, `d${index}`));
  const { outcomes } = await execute(writerFor(url, { concurrency: 1 }), operations, { batch: 1 });
  expect(outcomes.map(({ status }) => status)).toEqual([
    "failed",
    ...Array.from({ length: 5 }, () => "skipped"),
  ]);
  expect(requests).toBe(1);
  expect(JSON.stringify(outcomes)).not.toContain("t0ken");
});

test("an interruption lets what is in flight end and sends nothing new", async () => {
  const interruption = new AbortController();
  const url = await stub(async (request) => {
    interruption.abort();
    await wait(20);
    return allTrue(request);
  });
  const operations = [operation("1", "a"), operation("2", "b"), operation("3", "c")];
  const { outcomes } = await execute(writerFor(url, { concurrency: 1 }), operations, {
    batch: 1,
    signal: interruption.signal,
  });
  expect(outcomes.map(({ status }) => status)).toEqual(["applied", "skipped", "skipped"]);
});

test("a request that times out fails its operations with the time it waited", async () => {
  const url = await stub(() => new Promise(() => {}));
  const { outcomes } = await execute(writerFor(url, { timeout: 50 }), [operation("1", "a")]);
  expect(outcomes).toMatchObject([{ status: "failed", error: expect.stringContaining("0.05 s") }]);
});

test(
  "never two writes are in flight for one entity, never more than allowed in all, one outcome per operation",
  counted,
  async () => {
    let inFlight: string[] = [];
    let most = 0;
    const twice: string[] = [];
    const url = await stub(async (request) => {
      const urns = [...new Set(Object.values(request.variables).map(String))];
      twice.push(...inFlight.filter((urn) => urns.includes(urn)));
      inFlight = [...inFlight, ...urns];
      most = Math.max(most, inFlight.length);
      await wait(1);
      inFlight = inFlight.filter((urn) => !urns.includes(urn));
      return urns.some((urn) => urn.includes("bad"))
        ? { data: null, errors: [{ message: "no" }] }
        : allTrue(request);
    });
    const names = fc.array(fc.constantFrom("a", "b", "c", "d", "bad"), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(names, async (datasets) => {
        // Each comes after the one two places before: what was written in one step is written again in another.
        const operations = datasets.map((name, index) => {
          return after(operation(`${index}`, name), ...(index < 2 ? [] : [`${index - 2}`]));
        });
        const { outcomes } = await execute(writerFor(url, { concurrency: 3 }), operations, { batch: 1 });
        expect(outcomes.map((outcome) => outcome.operation)).toEqual(operations);
      }),
      { numRuns: runsOf(12) },
    );
    expect(twice).toEqual([]);
    expect(most).toBeLessThanOrEqual(3);
  },
);

test("as many writes are in flight as allowed", async () => {
  const three = meetingOf(3);
  const url = await stub(async (request) => {
    await three();
    return allTrue(request);
  });
  const operations = ["a", "b", "c", "d", "e", "f"].map((name) => operation(name, name));
  const { outcomes } = await execute(writerFor(url, { concurrency: 3 }), operations, { batch: 1 });
  expect(outcomes.map(({ status }) => status)).toEqual(operations.map(() => "applied"));
});
