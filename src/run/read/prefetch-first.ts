/**
 * The same values of a generator, whose first one is asked for at once and not when its turn comes: of several, the first ones are
 * asked for at the same time. A scroll that waits for its turn goes on as any other: where its point in time has expired, DataHub
 * takes a new one (ESSearchDAO.java). Throws what the generator throws, when it is its turn.
 */
export function prefetchFirst<T>(values: AsyncGenerator<T>): AsyncIterable<T> {
  const first = values.next();
  // What fails is thrown where it is awaited.
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
