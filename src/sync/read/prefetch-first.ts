/** Requests the first value of a generator immediately, before its turn. */

/**
 * Yields the same values as the generator. With several generators, the first values are requested at the same time. A scroll
 * that waits for its turn continues normally: if its point in time has expired, DataHub takes a new one (ESSearchDAO.java).
 * Throws the generator's error when its turn comes.
 */
export function prefetchFirst<T>(values: AsyncGenerator<T>): AsyncIterable<T> {
  const first = values.next();
  // The error is thrown at the `await`.
  first.catch(() => {});
  return {
    async *[Symbol.asyncIterator]() {
      const { value, done } = await first;
      if (done === true) return;
      yield value;
      yield* values;
    },
  };
}
