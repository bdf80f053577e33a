/** Escapes texts for Markdown, HTML and code blocks, and cuts long ones. */

import { printable } from "../printable.ts";

const maxTextLength = 300;

/** Longer, because a part of a URN is useless. DataHub accepts at most 512 bytes. */
const maxUrnLength = 600;

/** The number of characters before the first difference of two long texts. */
const context = 40;

/** A sentence may be longer than a value. */
export const maxSentenceLength = 2000;

/** A text as one line of a code block, without control characters and unpaired surrogates. Long texts are cut. */
export function lineText(text: string, maxLength = maxTextLength): string {
  const line = printable(text.replaceAll(/(?<!\s)\s*\n\s*/g, " ⏎ ")).replaceAll(/\p{Surrogate}/gu, "\uFFFD");
  return cut(line, /^urn:li:|\(urn:li:/.test(line) ? maxUrnLength : maxLength);
}

/** Two texts as lines. The common beginning of long texts is left out. */
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

/** A text in a code span, in which nothing is Markdown or a mention. */
export function codeSpan(text: string): string {
  const line = lineText(text);
  if (line.trim() === "") return '`""`';
  const runs = line.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const pad = /^[` ]|[` ]$/.test(line) ? " " : "";
  return fence + pad + line + pad + fence;
}

/** Markdown as the text of a link, if there is a page. The address must be encoded, so that nothing in it ends the link. */
export function linked(markdown: string, page: string | undefined): string {
  return page === undefined ? markdown : `[${markdown}](<${page}>)`;
}

/** A sentence in which values in back quotes become code spans, and the rest becomes plain text. */
export function prose(text: string): string {
  return cut(text, maxSentenceLength)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? codeSpan(part.slice(1, -1)) : plainText(part)))
    .join("");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", "`": "&#96;", $: "&#36;" };

/** A text in which nothing is Markdown, HTML, a mention or a link. */
export function plainText(text: string): string {
  return unlinked(text, /[&<`$\\*_[\]>|~]/g, (mark) => entities[mark] ?? `\\${mark}`);
}

/** `plainText` for the inside of an HTML element, which would show backslashes. */
export function plainHtml(text: string): string {
  return unlinked(text, /[&<>"`$]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

// GitHub finds mentions and links in the rendered text, so only a zero-width space prevents them.
function unlinked(text: string, marks: RegExp, escape: (mark: string) => string): string {
  return printable(text)
    .replaceAll(/\p{Surrogate}/gu, "\uFFFD")
    .split(/([@#]|GH(?=-)|www(?=\.)|:(?=\/\/))/i)
    .map((part, index) => (index % 2 === 1 ? `${part}&#8203;` : part.replaceAll(marks, escape)))
    .join("");
}
