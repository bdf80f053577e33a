/** Splits a YAML file into its documents' texts, and normalizes line ends for an edit. */

/**
 * Splits a file into its documents' texts, each including its marker. The first text includes the comments before the document.
 * Files with directives are not split.
 */
export function documentTexts(text: string): readonly string[] {
  if (/^%/m.test(text)) return [text];
  const [first = "", ...others] = text.split(/(?<=\n)(?=---(?:\s|$))/);
  const isEmpty = /^(?:[ \t]*(?:#.*)?\n)*$/.test(first);
  return isEmpty && others.length > 0 ? [first + others[0], ...others.slice(1)] : [first, ...others];
}

/**
 * Changes a text in normalized form, without byte order mark and carriage returns but with a final line end. Then restores the
 * original line ends.
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
