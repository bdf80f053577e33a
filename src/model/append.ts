/** Appends any number of items to a list. */

/** Pushes items one by one. Passing them to `push` as spread arguments overflows the stack at about 120,000 items. */
export function appendTo<T>(list: { push(item: T): unknown }, items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
