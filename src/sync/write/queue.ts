/** Runs jobs in parallel up to a limit, but jobs that share a lock one after the other. */

import pLimit from "p-limit";

/** Runs a job. Jobs that share a lock run one after the other, in the order of arrival. */
export type Queue = <T>(locks: Iterable<string>, job: () => Promise<T>) => Promise<T>;

/** Creates a queue for `concurrency` parallel jobs. Jobs that wait for a lock do not count. */
export function createQueue(concurrency: number): Queue {
  const limit = pLimit(concurrency);
  const lastOf = new Map<string, Promise<unknown>>();
  return (locks, job) => {
    const own = new Set(locks);
    const before = [...own].flatMap((lock) => lastOf.get(lock) ?? []);
    const done = Promise.allSettled(before).then(() => limit(job));
    for (const lock of own) lastOf.set(lock, done);
    return done;
  };
}
