/** The entries of a page as plain data, which the templates show and the script filters. */

import type { Line } from "../page.ts";

/** The verdict of a policy on an entity, except for a plain pass. */
export type Verdict = "introduced" | "unknown" | "existing" | "waived" | "fixed";

/** An entity with its changes, values that several entities share, or the verdict of a check on an entity. */
export interface PageEntry {
  readonly action: "create" | "update" | "delete" | Verdict;
  /** The class of drift, in a word. */
  readonly label?: string | undefined;
  readonly kind: string;
  readonly title: string;
  readonly urn?: string;
  /** The page of the entity in DataHub. */
  readonly page?: string | undefined;
  /** The heading of its class of drift, or of its verdict. */
  readonly class?: string | undefined;
  /** The policy of a verdict. */
  readonly policy?: string;
  readonly edits: readonly PageEdit[];
  /** The entities that share the values. */
  readonly sharers?: readonly Sharer[];
  /** Display names of its domains: gained, lost, or known to stay. */
  readonly homes: readonly string[];
  /** Display names of its owners: gained, lost, or known to stay. */
  readonly teams: readonly string[];
}

/** The word on the badge of an entry. */
export function labelOf({ label, action }: PageEntry): string {
  return label ?? action;
}

/** One of the entities that share a value. */
export interface Sharer {
  readonly name: string;
  readonly urn: string;
  readonly page?: string | undefined;
}

/** The change of one field. */
export interface PageEdit {
  /** The field. Empty for the creation or deletion of an entity, and for a verdict. */
  readonly field: string;
  /** The field with the keys below it, and the number of columns. */
  readonly place: string;
  readonly lines: readonly Line[];
  readonly isConflict?: boolean | undefined;
  /** Explanations: the end of a conflict, the effects of a deletion. */
  readonly notes: readonly string[];
  /** The place in a manifest, with rules. */
  readonly source: string;
  /** The page of that place in the repository. */
  readonly file?: string | undefined;
  readonly rules: readonly string[];
}
