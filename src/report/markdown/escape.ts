/** Escapes text for Markdown, HTML and code blocks, and shortens long text. */

import { printable } from "../printable.ts";

const maxTextLength = 300;

/**
 * The maximum length of text that contains a URN. It is larger than for other text, because a shortened URN is useless. DataHub
 * accepts URNs of at most 512 bytes.
 */
const maxUrnLength = 600;

/** The number of characters to keep before the first difference between two long texts. */
const context = 40;

/** The maximum length of a sentence, which may be longer than a value. */
export const maxSentenceLength = 2000;

/** Prints text as one line for a code block. Removes control characters and unpaired surrogates, and shortens long text. */
export function lineText(text: string, maxLength = maxTextLength): string {
  const line = printable(text.replaceAll(/(?<!\s)\s*\n\s*/g, " ⏎ ")).replaceAll(/\p{Surrogate}/gu, "\uFFFD");
  return cut(line, /^urn:li:|\(urn:li:/.test(line) ? maxUrnLength : maxLength);
}

/** Prints two texts, each as a single line. Omits the common beginning of long texts. */
export function lineTexts(before: string, after: string): readonly [string, string] {
  if (Math.max(before.length, after.length) <= maxTextLength) return [lineText(before), lineText(after)];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const from = characterBoundary(before, Math.max(0, same - context));
  if (from === 0) return [lineText(before), lineText(after)];
  return [lineText(`…${before.slice(from)}`), lineText(`…${after.slice(from)}`)];
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, characterBoundary(text, max))}…` : text;
}

function characterBoundary(text: string, length: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
}

/** Puts text in a code span, which prevents Markdown formatting and mentions. */
export function codeSpan(text: string): string {
  const line = lineText(text);
  if (line.trim() === "") return '`""`';
  const runs = line.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const pad = /^[` ]|[` ]$/.test(line) ? " " : "";
  return fence + pad + line + pad + fence;
}

/**
 * Turns Markdown into a link if there is a page to link to. The URL must be encoded, so that no character in it ends the link.
 */
export function linked(markdown: string, page: string | undefined): string {
  return page === undefined ? markdown : `[${markdown}](<${page}>)`;
}

/** Converts a sentence to Markdown. Values in backticks become code spans, and other text becomes plain text. */
export function prose(text: string): string {
  return cut(text, maxSentenceLength)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? codeSpan(part.slice(1, -1)) : plainText(part)))
    .join("");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", "`": "&#96;", $: "&#36;" };

/** Escapes text so that nothing in it is interpreted as Markdown, HTML, a mention or a link. */
export function plainText(text: string): string {
  return unlinked(text, /[&<`$\\*_[\]>|~]/g, (mark) => entities[mark] ?? `\\${mark}`);
}

/** Escapes text as `plainText` does, but for use in an HTML element, which would show backslashes. */
export function plainHtml(text: string): string {
  return unlinked(text, /[&<>"`$]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

// Escapes the characters in `marks`. Also inserts zero-width spaces, because GitHub finds mentions and links in rendered text.
function unlinked(text: string, marks: RegExp, escape: (mark: string) => string): string {
  return printable(text)
    .replaceAll(/\p{Surrogate}/gu, "\uFFFD")
    .split(/([@#]|GH(?=-)|www(?=\.)|:(?=\/\/))/i)
    .map((part, index) => (index % 2 === 1 ? `${part}&#8203;` : part.replaceAll(marks, escape)))
    .join("");
}
