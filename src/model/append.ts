/** Appends items to a list, however many there are. */

/** Pushes each item by itself: as spread arguments of `push`, about 120,000 items overflow the stack. */
export function appendTo<T>(list: { push(item: T): unknown }, items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
