import pLimit from "p-limit";
import type { Reader } from "../../datahub/client.ts";

/**
 * Does a job for each of a list, as many at once as the reader may send requests, and gives the results in the order of the
 * list. When one fails it begins no others, and throws what that one threw.
 */
export async function mapConcurrently<Each, Result>(
  { concurrency }: Pick<Reader, "concurrency">,
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
