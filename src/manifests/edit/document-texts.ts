/** Splits a YAML file into one text for each document, and normalizes line endings for an edit. */

/**
 * Splits a YAML file into one text for each document, including the `---` marker. The first text includes the comments before the
 * first document. A file with directives is not split.
 */
export function documentTexts(text: string): readonly string[] {
  if (/^%/m.test(text)) return [text];
  const [first = "", ...others] = text.split(/(?<=\n)(?=---(?:\s|$))/);
  const isEmpty = /^(?:[ \t]*(?:#.*)?\n)*$/.test(first);
  return isEmpty && others.length > 0 ? [first + others[0], ...others.slice(1)] : [first, ...others];
}

/**
 * Applies a change to the normalized form of a text, which has no byte order mark or carriage returns and ends with a newline.
 * Then restores the byte order mark and the original line endings.
 */
export function withPlainLineEnds(text: string, change: (plain: string) => string): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const hasReturns = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  const lines = (hasReturns ? text.replaceAll("\r\n", "\n") : text).slice(mark.length);
  const isOpen = lines !== "" && !lines.endsWith("\n");
  const changed = change(isOpen ? `${lines}\n` : lines);
  const closed = isOpen ? changed.replace(/\n$/, "") : changed;
  return mark + (hasReturns ? closed.replaceAll("\n", "\r\n") : closed);
}
