/** Requests a generator's first value immediately, before its turn. */

/**
 * Yields the same values as the generator, but requests the first one immediately, so that several generators start at the same
 * time. A scroll that waits for its turn continues normally: if its point in time has expired, DataHub creates a new one
 * (ESSearchDAO.java). Throws the generator's error when its turn comes.
 */
export function prefetchFirst<T>(values: AsyncGenerator<T>): AsyncIterable<T> {
  const first = values.next();
  // Prevents an unhandled rejection. The `await` throws the error.
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
