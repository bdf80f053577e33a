/** Appends any number of items. Spread as arguments of `push`, about 120,000 of them overflow the stack. */
export function appendTo<T>(list: { push(item: T): unknown }, items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
