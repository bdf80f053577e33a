/** Defines page entries as plain data, for the templates and the script. */

import type { Line } from "../page.ts";

/** A policy's verdict on an entity, other than a plain pass. */
export type Verdict = "introduced" | "unknown" | "existing" | "waived" | "fixed";

/** An entry: an entity with its changes, values that several entities share, or a check's verdict on an entity. */
export interface PageEntry {
  readonly action: "create" | "update" | "delete" | Verdict;
  /** The drift class as one word. */
  readonly label?: string | undefined;
  readonly kind: string;
  readonly title: string;
  readonly urn?: string;
  /** The URL of the entity's page in DataHub. */
  readonly page?: string | undefined;
  /** The heading for the entry's drift class or verdict. */
  readonly class?: string | undefined;
  /** The policy that the verdict is about. */
  readonly policy?: string;
  readonly edits: readonly PageEdit[];
  /** The entities that share the values. */
  readonly sharers?: readonly Sharer[];
  /** The display names of the domains that the entity gains, loses or keeps. */
  readonly homes: readonly string[];
  /** The display names of the owners that the entity gains, loses or keeps. */
  readonly teams: readonly string[];
}

/** Returns the word for an entry's badge. */
export function labelOf({ label, action }: PageEntry): string {
  return label ?? action;
}

/** One of the entities that share a value. */
export interface Sharer {
  readonly name: string;
  readonly urn: string;
  readonly page?: string | undefined;
}

/** A change to one field, or the details of a verdict. */
export interface PageEdit {
  /** The field name. Empty for a verdict, or if the entity is created or deleted. */
  readonly field: string;
  /** The field, the keys below it, and the number of columns. */
  readonly place: string;
  readonly lines: readonly Line[];
  readonly isConflict?: boolean | undefined;
  /** Explanations, such as how a conflict is resolved or what effects a deletion has. */
  readonly notes: readonly string[];
  /** The location in a manifest, and the rules that declare the value. */
  readonly source: string;
  /** The URL of the page that shows the source location in the repository. */
  readonly file?: string | undefined;
  readonly rules: readonly string[];
}
