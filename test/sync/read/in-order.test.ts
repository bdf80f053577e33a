import { expect, onTestFinished, test } from "vitest";
import { prefetchFirst } from "../../../src/sync/read/prefetch-first.ts";
import { prefetchNext } from "../../../src/sync/read/prefetch-next.ts";
import { mapConcurrently } from "../../../src/sync/read/map-concurrently.ts";

/** What happens, in order. */
type Log = string[];

async function* numbers(log: Log, until = 3, fails = false): AsyncGenerator<number> {
  for (let page = 1; page <= until; page += 1) {
    log.push(`page ${page}`);
    yield await Promise.resolve(page);
  }
  if (fails) throw new Error("no more pages");
}

async function allOf<Each>(values: AsyncIterable<Each>): Promise<readonly Each[]> {
  const all: Each[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** What fails from now on until the test ends and nothing waits for. */
function unhandledRejections(): readonly unknown[] {
  const found: unknown[] = [];
  const note = (error: unknown): void => void found.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  return found;
}

const settled = (): Promise<void> => new Promise((done) => void setImmediate(done));

test("a job is done for each of a list, and the results are in its order", async () => {
  const doubled = await mapConcurrently({ concurrency: 2 }, [3, 1, 2], async (each) => {
    for (let turn = 0; turn < each; turn += 1) await settled();
    return each * 2;
  });
  expect(doubled).toEqual([6, 2, 4]);
  expect(await mapConcurrently({ concurrency: 2 }, [], async () => 1)).toEqual([]);
});

test("no more jobs are under way at once than the reader may send requests", async () => {
  let [running, most] = [0, 0];
  await mapConcurrently({ concurrency: 3 }, [1, 2, 3, 4, 5, 6, 7], async () => {
    running += 1;
    most = Math.max(most, running);
    await settled();
    running -= 1;
  });
  expect(most).toBe(3);
});

test("where a job fails no other one is begun", async () => {
  const begun: number[] = [];
  const doing = mapConcurrently({ concurrency: 1 }, [1, 2, 3], async (each) => {
    begun.push(each);
    await settled();
    if (each === 2) throw new Error("no");
  });
  await expect(doing).rejects.toThrow("no");
  await settled();
  expect(begun).toEqual([1, 2]);
});

test("a page is read while the next one is asked for, and no further one", async () => {
  const log: Log = [];
  const readings = prefetchNext(numbers(log), async (page) => {
    log.push(`read ${page}`);
    return page * 2;
  });
  expect((await readings.next()).value).toBe(2);
  await settled();
  expect(log).toEqual(["page 1", "read 1", "page 2", "read 2"]);
  expect(await allOf(readings)).toEqual([4, 6]);
});

test("of no pages nothing is read", async () => {
  expect(await allOf(prefetchNext([], async () => 1))).toEqual([]);
});

test("a reading that fails is told when it is its turn", async () => {
  const unhandled = unhandledRejections();
  const readings = prefetchNext(numbers([]), async (page) => {
    if (page === 2) throw new Error("not read");
    return page;
  });
  expect((await readings.next()).value).toBe(1);
  await settled();
  await expect(readings.next()).rejects.toThrow("not read");
  expect(unhandled).toEqual([]);
});

test("the first value of a generator is asked for at once, the others in their turn", async () => {
  const log: Log = [];
  const values = prefetchFirst(numbers(log));
  expect(log).toEqual(["page 1"]);
  await settled();
  expect(log).toEqual(["page 1"]);
  expect(await allOf(values)).toEqual([1, 2, 3]);
});

test("a generator without values has none when it has begun", async () => {
  expect(await allOf(prefetchFirst(numbers([], 0)))).toEqual([]);
});

test("what a generator throws at once is told when it is its turn", async () => {
  const unhandled = unhandledRejections();
  const values = prefetchFirst(numbers([], 0, true));
  await settled();
  expect(unhandled).toEqual([]);
  await expect(allOf(values)).rejects.toThrow("no more pages");
});
