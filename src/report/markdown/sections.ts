/** Fits sections into a Markdown text of limited length. */

import { countedText } from "../count.ts";

/** Lines that must be kept together. `of` is the number of items that they represent, in the section's unit. */
export interface PrintedRow {
  readonly text: string;
  readonly of: number;
}

/** A section of a Markdown text. Its last rows can be omitted to shorten it. */
export interface PrintedSection {
  /** If the text is too long, sections with a lower rank are filled first. Sections with rank 5 or higher are collapsed. */
  readonly rank: number;
  /** The heading, or the summary of a collapsed section, in Markdown. */
  readonly title: string;
  /** A paragraph before the rows, in Markdown. */
  readonly lead?: string;
  readonly form: "diff" | "list";
  readonly rows: readonly PrintedRow[];
  /** Shorter rows, for use if `rows` do not fit. */
  readonly bare?: readonly PrintedRow[];
  /** The unit for counting rows, in the singular. */
  readonly noun?: string;
  /** A line of links after the rows. Omitted if it does not fit. */
  readonly pages?: string | undefined;
}

/** The maximum length of a comment. GitHub accepts 65,536 characters, and the program that posts the comment may add some. */
export const maxCommentLength = 65_000;

/** The maximum size of a step summary. GitHub accepts 1 MiB, and other commands in the step may add to the summary. */
const maxSummaryLength = 1_000_000;

/** The parts at the end of a Markdown text. */
export interface Ending {
  readonly foot?: string;
  /** The sentence that states where to find the omitted rows. */
  readonly rest: string;
}

/** The separator between two blocks. */
export const gap = "\n\n";

const firstFoldedRank = 5;

const fence = { open: "```diff\n", close: "\n```" };

/** Writes a step summary. GitHub counts bytes, and a character can have up to four bytes. */
export function summaryOf(
  heads: readonly string[],
  sections: readonly PrintedSection[],
  ending: Ending,
): string {
  const text = fitSections(maxSummaryLength, heads, sections, ending);
  const bytes = new TextEncoder().encode(text).length;
  return bytes <= maxSummaryLength ? text : fitSections(maxSummaryLength / 4, heads, sections, ending);
}

/** Writes sections in at most `max` characters. Rows that do not fit are only counted. */
export function fitSections(
  max: number,
  heads: readonly string[],
  sections: readonly PrintedSection[],
  { foot = "", rest }: Ending,
): string {
  const filled = sections.filter(({ rows }) => rows.length > 0);
  const ends = [`**This text is truncated.** ${rest}`, foot].filter((end) => end !== "");
  const around = [...heads, ...ends].join(gap).length + 2 * gap.length;
  const shown = fitted(filled, max - around);
  const isCut = filled.some(({ rows }, index) => countOf(rows) > countOf(shown[index]?.rows ?? []));
  const blocks = filled.map((section, index) =>
    blockOf({ ...section, pages: shown[index]?.pages }, shown[index]?.rows ?? []),
  );
  return `${[...heads, ...blocks, ...(isCut ? ends : ends.slice(1))].join(gap)}\n`;
}

/** Shortens sections to the rows that fit, and adds links to pages if there is space left after all rows. */
function fitted(sections: readonly PrintedSection[], room: number): readonly PrintedSection[] {
  const least = sections.map((section) => blockOf({ ...section, pages: undefined }, []).length);
  let free = room - least.reduce((sum, length) => sum + length + gap.length, 0);
  const shown = new Map<PrintedSection, PrintedSection>();
  const inRank = sections.toSorted((a, b) => a.rank - b.rank);
  for (const section of inRank) {
    const rows = rowsWithin(section, free);
    free -= rows.length === 0 ? 0 : lengthOf(rows);
    shown.set(section, { ...section, rows, pages: undefined });
  }
  for (const section of inRank) {
    const { pages = "" } = section;
    const own = shown.get(section);
    if (!own || own.rows.length === 0 || pages === "" || pages.length + gap.length > free) continue;
    free -= pages.length + gap.length;
    shown.set(section, { ...own, pages });
  }
  return sections.map((section) => shown.get(section) ?? section);
}

function rowsWithin({ rows, bare = rows }: PrintedSection, room: number): readonly PrintedRow[] {
  const complete = [rows, bare].find((all) => lengthOf(all) <= room);
  if (complete !== undefined) return complete;
  let length = lengthOf([]);
  return bare.slice(
    0,
    bare.findIndex(({ text }) => (length += text.length + 1) > room),
  );
}

function lengthOf(rows: readonly PrintedRow[]): number {
  const around = gap.length + fence.open.length + fence.close.length;
  return rows.reduce((sum, { text }) => sum + text.length + 1, around);
}

/** Writes a section as Markdown, with the rows in `shown` and the number of omitted items. */
function blockOf(
  { title, lead = "", rank, form, rows, noun = "item", pages = "" }: PrintedSection,
  shown: readonly PrintedRow[],
): string {
  const text = shown.map((row) => row.text).join("\n");
  const left = countOf(rows) - countOf(shown);
  const isFolded = rank >= firstFoldedRank;
  const parts = [
    isFolded ? `<details>\n<summary>${title}</summary>` : title === "" ? "" : `#### ${title}`,
    lead,
    form === "diff" && text !== "" ? fence.open + text + fence.close : text,
    left > 0 ? `… and ${countedText(left, `more ${noun}`)}` : "",
    pages,
    isFolded ? "</details>" : "",
  ];
  return parts.filter((part) => part !== "").join(gap);
}

/** Counts the items that rows represent. */
function countOf(rows: readonly PrintedRow[]): number {
  return rows.reduce((sum, row) => sum + row.of, 0);
}
