/** Fits sections of rows into a Markdown text of limited length. */

import { countedText } from "../count.ts";

/** Lines that are never separated. `of` is the number of things that they show, in the unit of the section. */
export interface PrintedRow {
  readonly text: string;
  readonly of: number;
}

/** A part of a Markdown text. It can be shortened by dropping its last rows. */
export interface PrintedSection {
  /** Sections of a lower rank get their room first. Those from rank 5 on are collapsed. */
  readonly rank: number;
  /** The heading, or the summary of a collapsed section. As Markdown. */
  readonly title: string;
  /** A paragraph before the rows. As Markdown. */
  readonly lead?: string;
  readonly form: "diff" | "list";
  readonly rows: readonly PrintedRow[];
  /** Shorter rows, used if `rows` do not fit. */
  readonly bare?: readonly PrintedRow[];
  /** The unit of the rows, in the singular. */
  readonly noun?: string;
  /** A line of links after the rows. It may be left out. */
  readonly pages?: string | undefined;
}

/** GitHub accepts comments of 65,536 characters. The rest is for the program that posts the comment. */
export const maxCommentLength = 65_000;

/** GitHub accepts summaries of 1 MiB for each step, and the step may write more of them. */
const maxSummaryLength = 1_000_000;

/** The end of a text. */
export interface Ending {
  readonly foot?: string;
  /** The sentence that says where the dropped rows are. */
  readonly rest: string;
}

/** The separator of two blocks. */
export const gap = "\n\n";

const firstFoldedRank = 5;

const fence = { open: "```diff\n", close: "\n```" };

/** A text for the summary of a step. GitHub counts bytes, and a character may have four. */
export function summaryOf(
  heads: readonly string[],
  sections: readonly PrintedSection[],
  ending: Ending,
): string {
  const text = fitSections(maxSummaryLength, heads, sections, ending);
  const bytes = new TextEncoder().encode(text).length;
  return bytes <= maxSummaryLength ? text : fitSections(maxSummaryLength / 4, heads, sections, ending);
}

/** Sections in a text of at most `max` characters. Rows that do not fit are counted. */
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

/** The sections with as many rows as fit, and links to pages if there is room after all rows. */
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

/** A section as Markdown, with the rows in `shown` and the number of the others. */
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

/** The number of things that rows show. */
export function countOf(rows: readonly PrintedRow[]): number {
  return rows.reduce((sum, row) => sum + row.of, 0);
}
