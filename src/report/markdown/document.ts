import { blockOf, countOf, fitted, gap, type Section } from "./section.ts";

/** GitHub accepts comments of 65,536 characters. The program that posts the comment may add some. */
export const longestDocument = 65_000;

/** GitHub accepts summaries of 1 MiB a step. Something else may be in them. */
const longestSummary = 1_000_000;

/** How a document ends. */
export interface Ending {
  readonly foot: string;
  /** Where to find what is left out. */
  readonly rest: string;
  /** The most characters, if not those of a comment. */
  readonly most?: number;
}

/** A document for the summary of a step: GitHub counts its bytes, and a character may have four. */
export function summaryOf(
  heads: readonly string[],
  sections: readonly Section[],
  ending: Omit<Ending, "most">,
): string {
  const text = documentOf(heads, sections, { ...ending, most: longestSummary });
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= longestSummary) return text;
  return documentOf(heads, sections, { ...ending, most: Math.floor(longestSummary / 4) });
}

/** A document of sections, of which as much is shown as fits. What does not is counted. */
export function documentOf(
  heads: readonly string[],
  sections: readonly Section[],
  { foot, rest, most = longestDocument }: Ending,
): string {
  const said = sections.filter(({ rows }) => rows.length > 0);
  const ends = [`**This text is truncated.** ${rest}`, foot].filter((end) => end !== "");
  const around = [...heads, ...ends].join(gap).length + 2 * gap.length;
  const shown = fitted(said, most - around);
  const isCut = said.some(({ rows }, index) => countOf(rows) > countOf(shown[index]?.rows ?? []));
  const blocks = said.map((section, index) =>
    blockOf({ ...section, pages: shown[index]?.pages }, shown[index]?.rows ?? []),
  );
  return `${[...heads, ...blocks, ...(isCut ? ends : ends.slice(1))].join(gap)}\n`;
}
