/** Appends items to a list, however many there are. */

/** Pushes items one by one: as spread arguments to `push`, about 120,000 items overflow the stack. */
export function appendTo<T>(list: { push(item: T): unknown }, items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
