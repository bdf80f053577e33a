/** Requests a generator's first value immediately, even if it is consumed later. */

/**
 * Yields the same values as the generator, but requests the first value immediately. Several generators can thus start at the
 * same time. A scroll that waits to be consumed continues normally: if its point in time has expired, DataHub creates a new one
 * (ESSearchDAO.java). An error is thrown when the generator is consumed.
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
