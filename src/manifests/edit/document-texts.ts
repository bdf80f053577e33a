/**
 * The text of each document of a file, with its marker and, of the first one, the comments before it. With directives it is one
 * text.
 */
export function documentTexts(text: string): readonly string[] {
  if (/^%/m.test(text)) return [text];
  const [first = "", ...others] = text.split(/(?<=\n)(?=---(?:\s|$))/);
  const isEmpty = /^(?:[ \t]*(?:#.*)?\n)*$/.test(first);
  return isEmpty && others.length > 0 ? [first + others[0], ...others.slice(1)] : [first, ...others];
}

/** Changes a text without its byte order mark, its carriage returns, and the lack of a last line end. */
export function withPlainLineEnds(text: string, change: (plain: string) => string): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const hasReturns = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  const lines = (hasReturns ? text.replaceAll("\r\n", "\n") : text).slice(mark.length);
  const isOpen = lines !== "" && !lines.endsWith("\n");
  const changed = change(isOpen ? `${lines}\n` : lines);
  const closed = isOpen ? changed.replace(/\n$/, "") : changed;
  return mark + (hasReturns ? closed.replaceAll("\n", "\r\n") : closed);
}
