import { many } from "../count.ts";

/** Lines that are kept together. `of`: how many of the things that the section counts they show. */
export interface Row {
  readonly text: string;
  readonly of: number;
}

/** A part of a Markdown text. It can be shortened by dropping rows at the end. */
export interface Section {
  /** If there is not enough room, sections of a lower rank are filled first. */
  readonly rank: number;
  readonly head: string;
  readonly form: "diff" | "list";
  readonly isFolded?: true;
  readonly rows: readonly Row[];
  /** Shorter rows, used if `rows` do not fit. */
  readonly bare?: readonly Row[];
  /** What the rows show, in the singular. */
  readonly noun: string;
  /** A line after the rows that may be left out: links to what they are about. */
  readonly pages?: string | undefined;
}

/** GitHub accepts comments of 65,536 characters. The program that posts the comment may add some. */
export const longestComment = 65_000;

/** GitHub accepts summaries of 1 MiB a step. Something else may be in them. */
const longestSummary = 1_000_000;

/** How a text ends. */
export interface Ending {
  readonly foot?: string;
  /** Where to find what is left out. */
  readonly rest: string;
}

/** The separator of two blocks. */
export const gap = "\n\n";

const fence = { open: "```diff\n", close: "\n```" };

/** A text for the summary of a step: GitHub counts its bytes, and a character may have four. */
export function summaryOf(heads: readonly string[], sections: readonly Section[], ending: Ending): string {
  const text = textWithin(longestSummary, heads, sections, ending);
  const bytes = new TextEncoder().encode(text).length;
  return bytes <= longestSummary ? text : textWithin(longestSummary / 4, heads, sections, ending);
}

/** Sections in a text of at most so many characters. What does not fit is counted. */
export function textWithin(
  most: number,
  heads: readonly string[],
  sections: readonly Section[],
  { foot = "", rest }: Ending,
): string {
  const filled = sections.filter(({ rows }) => rows.length > 0);
  const ends = [`**This text is truncated.** ${rest}`, foot].filter((end) => end !== "");
  const around = [...heads, ...ends].join(gap).length + 2 * gap.length;
  const shown = fitted(filled, most - around);
  const isCut = filled.some(({ rows }, index) => countOf(rows) > countOf(shown[index]?.rows ?? []));
  const blocks = filled.map((section, index) =>
    blockOf({ ...section, pages: shown[index]?.pages }, shown[index]?.rows ?? []),
  );
  return `${[...heads, ...blocks, ...(isCut ? ends : ends.slice(1))].join(gap)}\n`;
}

/** The sections with as many rows as fit, and pages where there is room after all rows. */
function fitted(sections: readonly Section[], room: number): readonly Section[] {
  const least = sections.map((section) => blockOf({ ...section, pages: undefined }, []).length);
  let free = room - least.reduce((sum, length) => sum + length + gap.length, 0);
  const shown = new Map<Section, Section>();
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

function rowsWithin({ rows, bare = rows }: Section, room: number): readonly Row[] {
  const complete = [rows, bare].find((all) => lengthOf(all) <= room);
  if (complete !== undefined) return complete;
  let length = lengthOf([]);
  return bare.slice(
    0,
    bare.findIndex(({ text }) => (length += text.length + 1) > room),
  );
}

function lengthOf(rows: readonly Row[]): number {
  const around = gap.length + fence.open.length + fence.close.length;
  return rows.reduce((sum, { text }) => sum + text.length + 1, around);
}

/** A section as Markdown, with only the rows in `shown`. */
function blockOf({ head, form, isFolded, rows, noun, pages = "" }: Section, shown: readonly Row[]): string {
  const text = shown.map((row) => row.text).join("\n");
  const left = countOf(rows) - countOf(shown);
  const parts = [
    isFolded ? `<details>\n<summary>${head}</summary>` : head,
    form === "diff" && text !== "" ? fence.open + text + fence.close : text,
    left > 0 ? `… and ${many(left, `more ${noun}`)}` : "",
    pages,
    isFolded ? "</details>" : "",
  ];
  return parts.filter((part) => part !== "").join(gap);
}

/** The number of things that rows show. */
export function countOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + row.of, 0);
}
