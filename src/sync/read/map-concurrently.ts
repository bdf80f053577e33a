/** Runs a job for each list item, within the reader's limit of concurrent requests. */

import pLimit from "p-limit";
import type { Concurrency } from "../../datahub/client.ts";

/** Returns the results in list order. After a failure, starts no further jobs and throws the error. */
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
