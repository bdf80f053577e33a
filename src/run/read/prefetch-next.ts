/**
 * Reads something for each of several pages, in their order. A page is read while the next one is asked for, and no more than these
 * two are kept. Throws what a reading throws, when it is its turn.
 */
export async function* prefetchNext<Page, Read>(
  pages: AsyncIterable<Page> | Iterable<Page>,
  read: (page: Page) => Promise<Read>,
): AsyncGenerator<Read> {
  let reading: Promise<Read> | undefined;
  for await (const page of pages) {
    const next = read(page);
    // What fails is thrown where it is awaited.
    next.catch(() => {});
    if (reading) yield await reading;
    reading = next;
  }
  if (reading) yield await reading;
}
