/** Reads pages in order, and starts reading the next page before the current one is complete. */

/** Yields one result for each page. At most two pages are in memory. Errors are thrown in page order. */
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
