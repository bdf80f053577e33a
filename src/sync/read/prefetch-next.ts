/** Reads pages in order, and requests the next page while one is read. */

/** Yields one reading for each page. At most two pages are in memory. Throws the error of a reading when its turn comes. */
export async function* prefetchNext<Page, Read>(
  pages: AsyncIterable<Page> | Iterable<Page>,
  read: (page: Page) => Promise<Read>,
): AsyncGenerator<Read> {
  let reading: Promise<Read> | undefined;
  for await (const page of pages) {
    const next = read(page);
    // The error is thrown at the `await`.
    next.catch(() => {});
    if (reading) yield await reading;
    reading = next;
  }
  if (reading) yield await reading;
}
