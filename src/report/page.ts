/** Defines the structure that text, Markdown, HTML and GitHub output share: sections with rows, and lines for changes. */

import type { Origin } from "../model/origin.ts";

/** How a value changes: added, removed, or replaced. */
export type Sign = "+" | "-" | "~";

/** Rows under a heading. Empty sections are not shown. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** The count in the heading. Absent if the heading has no count. */
  readonly number?: number;
  /** A sentence before the rows. */
  readonly lead?: string;
  /**
   * The priority of the section. If the output length is limited, sections with a lower rank are filled first. Sections with rank
   * 5 or higher are collapsed.
   */
  readonly rank: number;
}

/** A sentence with its values in backticks, and details about it. */
export interface Row {
  readonly text: string;
  readonly severity?: "error" | "warning";
  /** Whether the printed row begins with the severity. HTML shows the severity as a color instead. */
  readonly isLabeled?: true;
  /** The sign for a changed setting. */
  readonly sign?: Sign;
  /** The public code of a problem. */
  readonly code?: string;
  /** The source location. If `isOfFile` is set, only the file is relevant. */
  readonly origin?: Origin;
  readonly isOfFile?: boolean;
  /** Returns the source line, if it is useful and not secret. */
  readonly source?: () => string | undefined;
  /** A second location that the problem concerns. */
  readonly related?: Origin;
  /** Lines below the row, such as verdicts or the reason for an outcome. */
  readonly lines?: readonly string[];
  /** The number of items that the row represents. The default is one. */
  readonly of?: number;
  /** The lines of a YAML document that waives violations. */
  readonly waiver?: readonly string[];
}

/** A value that is added, removed or replaced. */
export interface Line {
  readonly sign: Sign;
  readonly text: string;
  /** The previous value, if the line shows a replacement. */
  readonly before?: string;
  /** Facts about the value, in display order. */
  readonly notes: readonly Note[];
}

/**
 * A fact about a value:
 *
 * - `unchanged`: the fields that do not change.
 * - `origin`: a statement that the value was not declared before, or that the last applied commit declares it.
 * - `writer`: the writer of the value, and the reason for its removal.
 * - `fallback`: the value that the catalog shows after the change.
 * - `held`: the reason why the value is held back.
 */
export interface Note {
  readonly about: "unchanged" | "origin" | "writer" | "fallback" | "held";
  readonly text: string;
}

/** Returns a note's text as it appears in a line. */
export function noteText({ about, text }: Note): string {
  return about === "origin" || about === "held" ? text : `(${text})`;
}

/** A conflict: how it is resolved, and its three values. */
export interface Conflict {
  readonly ending: string;
  readonly sides: readonly ConflictSide[];
}

interface ConflictSide {
  readonly name: "base" | "live" | "declared";
  readonly text: string;
  /** The value's writer. Empty if unknown. */
  readonly writer: string;
}
