import { printable } from "../printable.ts";

const longestText = 300;

/** A URN is of use only whole, and DataHub takes none above 512 bytes. */
const longestUrn = 600;

/** How much of what two long texts have in common is shown before they differ. */
const context = 40;

/** Sentences say more than one value. */
export const longestSentence = 2000;

/** A text as one line of a code block: without control characters and half characters, a long one cut with a mark. */
export function lineText(text: string, longest = longestText): string {
  const line = printable(text.replaceAll(/(?<!\s)\s*\n\s*/g, " ⏎ ")).replaceAll(/\p{Surrogate}/gu, "\uFFFD");
  return cut(line, line.startsWith("urn:li:") ? longestUrn : longest);
}

/** Two texts as lines; of long ones the beginning is left out as far as they are the same. */
export function lineTexts(before: string, after: string): readonly [string, string] {
  if (Math.max(before.length, after.length) <= longestText) return [lineText(before), lineText(after)];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const from = wholeCharacters(before, Math.max(0, same - context));
  if (from === 0) return [lineText(before), lineText(after)];
  return [lineText(`…${before.slice(from)}`), lineText(`…${after.slice(from)}`)];
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, wholeCharacters(text, most))}…` : text;
}

function wholeCharacters(text: string, length: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
}

/** A text in a code span, in which nothing is Markdown and nobody is mentioned. */
export function codeSpan(text: string): string {
  const line = lineText(text);
  if (line.trim() === "") return '`""`';
  const runs = line.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const pad = /^[` ]|[` ]$/.test(line) ? " " : "";
  return fence + pad + line + pad + fence;
}

/** A sentence of ours in which values stand in back quotes: those are code spans, all else is plain text. */
export function prose(text: string): string {
  return cut(text, longestSentence)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? codeSpan(part.slice(1, -1)) : escaped(part)))
    .join("");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", "`": "&#96;", $: "&#36;" };

// GitHub looks for names, numbers and addresses in what Markdown has made of the text, so an escape does not keep them
// from being linked, and people from being mentioned; a space without width does.
function escaped(text: string): string {
  return printable(text)
    .replaceAll(/\p{Surrogate}/gu, "\uFFFD")
    .replaceAll(/[&<`$]|[\\*_[\]>|~]|([@#]|GH(?=-)|www(?=\.)|:(?=\/\/))/gi, (mark, start?: string) =>
      start === undefined ? (entities[mark] ?? `\\${mark}`) : `${start}&#8203;`,
    );
}
