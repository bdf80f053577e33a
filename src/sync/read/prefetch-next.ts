/** Reads pages in order, and requests the next page while the current one is read. */

/** Yields one reading for each page. At most two pages are in memory. Throws a reading's error when its turn comes. */
export async function* prefetchNext<Page, Read>(
  pages: AsyncIterable<Page> | Iterable<Page>,
  read: (page: Page) => Promise<Read>,
): AsyncGenerator<Read> {
  let reading: Promise<Read> | undefined;
  for await (const page of pages) {
    const next = read(page);
    // Prevents an unhandled rejection. The `await` throws the error.
    next.catch(() => {});
    if (reading) yield await reading;
    reading = next;
  }
  if (reading) yield await reading;
}
