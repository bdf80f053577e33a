import { count } from "../count.ts";

/** Lines that are kept together. `of`: how many of the things that the section counts they show. */
export interface Row {
  readonly text: string;
  readonly of: number;
}

/** A part of a document. It can be shortened by dropping rows at the end. */
export interface Section {
  /** If there is not enough room, sections of a lower rank are filled first. */
  readonly rank: number;
  readonly head: string;
  readonly form: "diff" | "list";
  readonly isFolded?: true;
  readonly rows: readonly Row[];
  /** Shorter rows, used if `rows` do not fit. */
  readonly bare?: readonly Row[];
  /** What the rows show, in singular and plural. */
  readonly noun: Noun;
  /** A line after the rows that may be left out: links to what they are about. */
  readonly pages?: string | undefined;
}

type Noun = readonly [one: string, several: string];

/** The separator of two blocks. */
export const gap = "\n\n";

const fence = { open: "```diff\n", close: "\n```" };

/**
 * The sections with as many rows as fit into the room. A section keeps its heading and counts what it leaves out. Pages come
 * where there is room after all rows.
 */
export function fitted(sections: readonly Section[], room: number): readonly Section[] {
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
  const whole = [rows, bare].find((all) => lengthOf(all) <= room);
  if (whole !== undefined) return whole;
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
export function blockOf(
  { head, form, isFolded, rows, noun, pages = "" }: Section,
  shown: readonly Row[],
): string {
  const text = shown.map((row) => row.text).join("\n");
  const left = countOf(rows) - countOf(shown);
  const parts = [
    isFolded ? `<details>\n<summary>${head}</summary>` : head,
    form === "diff" && text !== "" ? fence.open + text + fence.close : text,
    left > 0 ? `… and ${numberText(left)} more ${left === 1 ? noun[0] : noun[1]}` : "",
    pages,
    isFolded ? "</details>" : "",
  ];
  return parts.filter((part) => part !== "").join(gap);
}

/** The number of things that rows show. */
export function countOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + row.of, 0);
}

/** "1 change", "12,345 changes". */
export function many(number: number, [one, several]: Noun): string {
  return count(number, one, several).replace(/^\d+/, numberText(number));
}

/** A number with thousands separators: 12,345. */
export function numberText(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
