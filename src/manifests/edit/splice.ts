/** A part of a text, by its offsets, and the text that replaces it. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text with these parts replaced. A part within another one that was replaced before it is left out. */
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

/** Where the line of an offset begins. */
export function lineStartAt(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line after that of an offset begins, or the text ends. */
export function nextLineAt(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** Whether only white space precedes an offset in its line. */
export function isFirstInLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStartAt(text, offset), offset));
}

/** Whether only white space and a comment follow an offset in its line. */
export function isLastInLine(text: string, offset: number): boolean {
  return /^[ \t]*(?:[ \t]#[^\n]*)?\r?\n?$/.test(text.slice(offset, nextLineAt(text, offset)));
}

/** The spaces that indent lines as far as an offset is from the start of its line. */
export function indentTo(text: string, offset: number): string {
  return " ".repeat(offset - lineStartAt(text, offset));
}

/** The end of a part of a text, without the white space at its end. */
export function contentEnd(text: string, start: number, end: number): number {
  return start + text.slice(start, end).trimEnd().length;
}
