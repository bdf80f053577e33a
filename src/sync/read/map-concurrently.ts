/** Runs a job for each item in a list, within the reader's limit of parallel requests. */

import pLimit from "p-limit";
import type { Concurrency } from "../../datahub/client.ts";

/** Returns the results in the order of the list. After a failure, starts no further jobs and throws that error. */
export async function mapConcurrently<Each, Result>(
  { concurrency }: Concurrency,
  list: readonly Each[],
  job: (each: Each) => Promise<Result>,
): Promise<readonly Result[]> {
  const limit = pLimit(concurrency);
  const one = async (each: Each): Promise<Result> => {
    try {
      return await job(each);
    } catch (error) {
      limit.clearQueue();
      throw error;
    }
  };
  return await Promise.all(list.map((each) => limit(one, each)));
}
