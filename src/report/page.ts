/** The tree that text, Markdown, HTML and GitHub print: sections of rows, and lines of changes. */

import type { Origin } from "../model/origin.ts";

/** How a value changes: added, removed, or replaced. */
export type Sign = "+" | "-" | "~";

/** Rows below one heading. An empty section is not shown. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** The number in the heading. Absent if the title says enough. */
  readonly number?: number;
  /** A sentence before the rows. */
  readonly lead?: string;
  /** In a text of limited length, sections of a lower rank get their room first. Those from rank 5 on are collapsed. */
  readonly rank: number;
}

/** A sentence with values in back quotes, and what belongs to it. */
export interface Row {
  readonly text: string;
  readonly severity?: "error" | "warning";
  /** Whether a text begins with the severity. HTML shows it as a color. */
  readonly isLabeled?: true;
  /** How a setting changes. */
  readonly sign?: Sign;
  /** The public code of a problem. */
  readonly code?: string;
  /** Its place. Only the file counts if `isOfFile`. */
  readonly origin?: Origin;
  readonly isOfFile?: boolean;
  /** The line at its place, if it is useful and not secret. */
  readonly source?: () => string | undefined;
  /** Another place of the same problem. */
  readonly related?: Origin;
  /** Lines below it: verdicts, the reason of an outcome. */
  readonly lines?: readonly string[];
  /** How many things it shows, if it is not one. */
  readonly of?: number;
  /** Lines of YAML that waive violations. */
  readonly waiver?: readonly string[];
}

/** A value that is added or removed, or that replaces another one. */
export interface Line {
  readonly sign: Sign;
  readonly text: string;
  /** The value that is replaced. */
  readonly before?: string;
  /** The facts about the value, in reading order. */
  readonly notes: readonly Note[];
}

/**
 * A fact about a value: the fields that do not change; that it was not declared before, or the applied commit that declares it;
 * its writer and the reason of its removal; the value that the catalog then shows; why it is held back.
 */
export interface Note {
  readonly about: "unchanged" | "origin" | "writer" | "fallback" | "held";
  readonly text: string;
}

/** The text of a note in a line. */
export function noteText({ about, text }: Note): string {
  return about === "origin" || about === "held" ? text : `(${text})`;
}

/** A conflict: its end, and its three values. */
export interface Conflict {
  readonly ending: string;
  readonly sides: readonly ConflictSide[];
}

interface ConflictSide {
  readonly name: "base" | "live" | "declared";
  readonly text: string;
  /** The writer of the value. Empty if unknown. */
  readonly writer: string;
}
