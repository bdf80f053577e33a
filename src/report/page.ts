/** The rows that text, Markdown, HTML and GitHub print. Each format has one printer of rows. */

import type { Origin } from "../model/origin.ts";

/** How a value changes: added, removed, or replaced. */
export type Sign = "+" | "-" | "~";

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
  /** Verdicts that are listed below it. */
  readonly lines?: readonly string[];
  /** Lines of YAML that waive violations. */
  readonly waiver?: readonly string[];
}
