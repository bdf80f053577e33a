/** A part of a text, by its offsets, and the text that it gives way to. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text with these parts replaced. A part that lies in another one that goes is left out with it. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text: other } of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at) continue;
    result += text.slice(at, start) + other;
    at = end;
  }
  return result + text.slice(at);
}

/** The line end that a text uses. */
export function lineEndIn(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Where the line of an offset begins. */
export function lineStartAt(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line after that of an offset begins, or the text ends. */
export function nextLineAt(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** Whether nothing but white space stands before an offset in its line. */
export function isFirstInLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStartAt(text, offset), offset));
}

/** Whether nothing but white space and a comment follows an offset in its line. */
export function isLastInLine(text: string, offset: number): boolean {
  return /^[ \t]*(?:[ \t]#[^\n]*)?\r?\n?$/.test(text.slice(offset, nextLineAt(text, offset)));
}

/** The white space at the start of the line of an offset. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStartAt(text, offset), offset))?.[0] ?? "";
}

/** The end of what a part of a text says: without the white space behind it. */
export function contentEnd(text: string, start: number, end: number): number {
  return start + text.slice(start, end).trimEnd().length;
}
