/** Defines the structure that text, Markdown, HTML and GitHub output share: sections of rows, and lines of changes. */

import type { Origin } from "../model/origin.ts";

/** How a value changes: added, removed, or replaced. */
export type Sign = "+" | "-" | "~";

/** Rows below one heading. An empty section is not shown. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** The number in the heading. Absent if the title is enough. */
  readonly number?: number;
  /** A sentence before the rows. */
  readonly lead?: string;
  /** In a text of limited length, sections with a lower rank get room first. Sections from rank 5 on are collapsed. */
  readonly rank: number;
}

/** A sentence with values in back quotes, and its details. */
export interface Row {
  readonly text: string;
  readonly severity?: "error" | "warning";
  /** Whether the text output begins with the severity. HTML shows it as a color. */
  readonly isLabeled?: true;
  /** How a setting changes. */
  readonly sign?: Sign;
  /** A problem's public code. */
  readonly code?: string;
  /** The source location. Only the file matters if `isOfFile` is set. */
  readonly origin?: Origin;
  readonly isOfFile?: boolean;
  /** Returns the source line, if it is useful and not secret. */
  readonly source?: () => string | undefined;
  /** Another location with the same problem. */
  readonly related?: Origin;
  /** Lines below the row: verdicts, or an outcome's reason. */
  readonly lines?: readonly string[];
  /** The number of items in the row, if it is not one. */
  readonly of?: number;
  /** YAML lines that waive violations. */
  readonly waiver?: readonly string[];
}

/** A value that is added or removed, or that replaces another one. */
export interface Line {
  readonly sign: Sign;
  readonly text: string;
  /** The previous value, if one is replaced. */
  readonly before?: string;
  /** Facts about the value, in reading order. */
  readonly notes: readonly Note[];
}

/**
 * A fact about a value: its unchanged fields; that it was not declared before, or which applied commit declares it; its writer and
 * why it is removed; the value that the catalog shows afterwards; why it is held back.
 */
export interface Note {
  readonly about: "unchanged" | "origin" | "writer" | "fallback" | "held";
  readonly text: string;
}

/** Returns a note's text within a line. */
export function noteText({ about, text }: Note): string {
  return about === "origin" || about === "held" ? text : `(${text})`;
}

/** A conflict: how it ends, and its three values. */
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
