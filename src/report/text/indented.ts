import { wrapped } from "../wrapped.ts";

/** A line wrapped to a width under its own beginning: what follows stands four characters further in. */
export function indented(line: string, width: number): string {
  const text = line.trimStart();
  const start = line.slice(0, line.length - text.length);
  return `${start}${wrapped(text, width - start.length, `${start}    `)}`;
}
