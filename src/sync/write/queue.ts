/** Runs jobs concurrently up to a limit, but runs jobs that share a lock one after another. */

import pLimit from "p-limit";

/** Runs a job. Jobs that share a lock run one after another, in the order in which they were added. */
export type Queue = <T>(locks: Iterable<string>, job: () => Promise<T>) => Promise<T>;

/** Creates a queue for up to `concurrency` concurrent jobs. Jobs that wait for a lock do not count toward the limit. */
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
