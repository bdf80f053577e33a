/** What a policy says of an entity that does not just pass. */
export type Verdict = "introduced" | "unknown" | "existing" | "waived" | "fixed";

/**
 * An entry of the list in a page: an entity with its changes, values that several entities share, or of a check, a verdict on an
 * entity.
 */
export interface PageEntry {
  readonly action: "create" | "update" | "delete" | Verdict;
  /** Of drift, its class in a word. */
  readonly label?: string;
  readonly kind: string;
  readonly title: string;
  readonly urn?: string;
  /** The page of the entity in DataHub. */
  readonly page?: string;
  /** Of drift, the heading of its class; of a check, that of its verdict. */
  readonly class?: string;
  /** Of a check, the policy that was applied. */
  readonly policy?: string;
  readonly edits: readonly PageEdit[];
  /** The entities that share the values. */
  readonly sharers?: readonly Sharer[];
  /** Display names of its places: those that it moves into or out of, and what is known to stay. */
  readonly homes: readonly string[];
  /** Display names of its owners: those that it gains or loses, and those who are known to stay. */
  readonly teams: readonly string[];
}

/** What an entry is, in a word. */
export function labelOf({ label, action }: Pick<PageEntry, "label" | "action">): string {
  return label ?? action;
}

/** One of the entities that share a value. */
export interface Sharer {
  readonly name: string;
  readonly urn: string;
  readonly page?: string;
}

/** How an entity or a value changes: added, removed, or replaced. */
export type Sign = "+" | "-" | "~";

/** The change of one field. */
export interface PageEdit {
  /** The field; empty for a deletion as such. */
  readonly field: string;
  /** The field with the keys below it, and how many columns. */
  readonly place: string;
  readonly lines: readonly PageLine[];
  readonly isConflict?: true;
  /** What else is to be known: how a conflict ends, what is removed with a deletion. */
  readonly notes: readonly string[];
  /** The place in a manifest, with rules. */
  readonly source: string;
  /** The page of that place in the repository. */
  readonly file?: string;
  readonly rules: readonly string[];
}

/** A value that is added, removed or replaced. */
export interface PageLine {
  readonly sign: Sign;
  readonly text: string;
  readonly before?: string;
  /** Of a removed value, that it was not declared before, or what declares it. */
  readonly origin?: string;
  /** Who wrote it, and what the catalog shows instead. */
  readonly note: string;
}
