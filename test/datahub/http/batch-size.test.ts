import { describe, expect, test } from "vitest";
import { requestInBatches, createBatchSize } from "../../../src/datahub/http/batch-size.ts";
import { CatalogError } from "../../../src/model/catalog-error.ts";

const tooLarge = new CatalogError("http", "HTTP 504", { status: 504, mayBeTooLarge: true });
const entities = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** The sizes of the requests for some entities where a gateway passes on no more than `most` of them, and what was answered. */
async function asked(
  count: number,
  most: () => number,
  size = createBatchSize(),
): Promise<{ readonly sizes: readonly number[]; readonly answered: readonly number[] }> {
  const sizes: number[] = [];
  const answers = await requestInBatches({ batchSize: size }, entities(count), async (some) => {
    sizes.push(some.length);
    if (some.length > most()) throw tooLarge;
    return some;
  });
  return { sizes, answered: answers.flat() };
}

describe("a request that may be too large", () => {
  test("is halved until it is answered, and all is answered in order", async () => {
    const { sizes, answered } = await asked(100, () => 20);
    expect(sizes).toEqual([100, 50, 25, 13, 13, 13, 13, 13, 13, 13, 9]);
    expect(answered).toEqual(entities(100));
  });

  test("is sent once in each size, down to one entity", async () => {
    const sizes: number[] = [];
    const asking = requestInBatches({ batchSize: createBatchSize() }, entities(9), async (some) => {
      sizes.push(some.length);
      throw tooLarge;
    });
    await expect(asking).rejects.toBe(tooLarge);
    expect(sizes).toEqual([9, 5, 3, 2, 1]);
  });

  test("is worth repeating only where it is for one entity", async () => {
    const worth: boolean[] = [];
    await requestInBatches({ batchSize: createBatchSize() }, entities(2), async (some, isWorthRepeating) => {
      worth.push(isWorthRepeating(tooLarge), isWorthRepeating(new Error("another")));
      if (some.length > 1) throw tooLarge;
    });
    expect(worth).toEqual([false, true, true, true, true, true]);
  });

  test("leaves its size to the requests after it", async () => {
    const size = createBatchSize();
    await asked(100, () => 50, size);
    expect((await asked(120, () => 50, size)).sizes).toEqual([50, 50, 20]);
  });

  test("makes no later request larger than one that worked meanwhile", () => {
    const size = createBatchSize();
    size.noteTooLarge(20);
    size.noteTooLarge(100);
    expect(size.limit()).toBe(10);
  });
});

test("one entity that is answered when it is asked for again says that the size was not the reason", async () => {
  const size = createBatchSize();
  await asked(8, () => 1, size);
  expect(size.limit()).toBe(1);
  await requestInBatches({ batchSize: size }, entities(1), async (_, isWorthRepeating) => {
    isWorthRepeating(tooLarge);
  });
  expect(size.limit()).toBe(Infinity);
});

test("after 20 good requests twice as many entities are asked for, and later where that was too many", async () => {
  const size = createBatchSize();
  const { sizes } = await asked(1000, () => 10, size);
  const trials = sizes.flatMap((each, index) => (each > 10 ? [index] : []));
  // 1000, …, 16 are the first; then 8 is good, and 16 is tried after 20, 40 and 80.
  expect(sizes.slice(0, 8)).toEqual([1000, 500, 250, 125, 63, 32, 16, 8]);
  expect(trials.slice(7)).toEqual([27, 68]);
});

test("a size that grew and is answered goes on to grow", async () => {
  let most = 10;
  const size = createBatchSize();
  await asked(20, () => most, size);
  most = Infinity;
  await asked(200, () => most, size);
  expect(size.limit()).toBe(20);
  await asked(500, () => most, size);
  expect(size.limit()).toBe(40);
});

/** What is answered of some entities where some are too large by themselves; those are answered as "failed". */
function withFailing(
  failing: readonly number[],
  count: number,
  isSilent = false,
): Promise<readonly unknown[]> {
  return requestInBatches(
    { batchSize: createBatchSize(() => isSilent) },
    entities(count),
    async (some): Promise<unknown> => {
      if (some.some((each) => failing.includes(each))) throw tooLarge;
      return some;
    },
    (some) => [`failed: ${some.join()}`],
  ).then((answers) => answers.flat());
}

describe("an entity that is too large by itself", () => {
  test("fails alone, wherever it is", async () => {
    expect(await withFailing([0], 3)).toEqual(["failed: 0", 1, 2]);
    expect(await withFailing([3], 4)).toEqual([0, 1, 2, "failed: 3"]);
  });

  test("is a failure of the whole where all are, or three in a row, or where nothing is answered at all", async () => {
    await expect(withFailing([0, 1], 2)).rejects.toBe(tooLarge);
    await expect(withFailing([0, 1, 2], 9)).rejects.toBe(tooLarge);
    await expect(withFailing([0], 3, true)).rejects.toBe(tooLarge);
    expect(await withFailing([0, 2, 4], 5)).toEqual(["failed: 0", 1, "failed: 2", 3, "failed: 4"]);
  });
});

test("a failure that has nothing to do with the size is thrown", async () => {
  const error = new CatalogError("http", "HTTP 500", { status: 500 });
  await expect(
    requestInBatches({ batchSize: createBatchSize() }, entities(4), async () => {
      throw error;
    }),
  ).rejects.toBe(error);
});
