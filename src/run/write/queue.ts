import pLimit from "p-limit";

/** Runs jobs side by side, as many as it was made for; those that share a lock one after the other, as they come. */
export type Queue = <T>(locks: Iterable<string>, job: () => Promise<T>) => Promise<T>;

/** A queue for so many jobs at once. A job that waits for a lock takes no place of another. */
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
