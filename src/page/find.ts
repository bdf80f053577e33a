/** Searches, filters and groups the entries of a page in the browser. */

import { labelOf, type PageEntry, type Sharer } from "../report/html/page-entry.ts";
import { noteText } from "../report/page.ts";
import type { Query } from "./query.ts";

/** Entries under one heading. Without grouping, there is a single group whose title is empty. */
export interface Group {
  readonly title: string;
  readonly entries: readonly PageEntry[];
}

/** The groupings. `of` returns the titles of an entry's groups. `none` is the title to use if `of` does not return any titles. */
const groupings: Readonly<
  Record<string, { readonly of: (entry: PageEntry) => readonly string[]; readonly none: string }>
> = {
  class: { of: (entry) => (entry.class === undefined ? [] : [entry.class]), none: "" },
  rule: {
    of: ({ edits }) => edits.flatMap(({ rules }) => rules.map((rule) => `Rule ${rule}`)),
    none: "No rule",
  },
  home: { of: ({ homes }) => homes, none: "No domain" },
  team: { of: ({ teams }) => teams, none: "No owner" },
  policy: { of: ({ policy }) => (policy === undefined ? [] : [`Policy ${policy}`]), none: "" },
  entity: { of: ({ title }) => [title], none: "" },
  kind: { of: ({ kind }) => [kind], none: "" },
  field: { of: ({ edits }) => edits.map(({ field }) => field || "Created or deleted"), none: "" },
  file: {
    of: ({ edits }) => edits.map(({ source }) => source.replace(/:\d+.*$/s, "")).filter(Boolean),
    none: "No file",
  },
};

/** Predicates that check whether an entry has an effect, keyed by effect. */
const effects: Readonly<Record<string, (entry: PageEntry) => boolean>> = {
  creates: ({ action }) => action === "create",
  deletes: ({ action }) => action === "delete",
  adds: has("+"),
  replaces: has("~"),
  removes: has("-"),
  foreign: ({ edits }) =>
    edits.some(({ lines }) => lines.some(({ notes }) => notes.some(({ about }) => about === "origin"))),
  conflict: ({ edits }) => edits.some(({ isConflict }) => isConflict),
};

function has(sign: string): (entry: PageEntry) => boolean {
  return ({ edits }) => edits.some(({ lines }) => lines.some((line) => line.sign === sign));
}

/** Finds entries that match a query. Builds the searchable text of each entry only once. */
export class Finder {
  readonly #entries: readonly PageEntry[];
  #texts: readonly string[] | undefined;

  constructor(entries: readonly PageEntry[]) {
    this.#entries = entries;
  }

  /** Returns the groups of entries that match a query. Keeps the order of entries within each group. */
  find(query: Query): readonly Group[] {
    const words = wordsOf(query);
    if (words.length > 0) this.#texts ??= this.#entries.map(textOf);
    const texts = this.#texts ?? [];
    const effect = effects[query.change];
    const matching = this.#entries.filter(
      (entry, index) =>
        words.every((word) => texts[index]?.includes(word)) &&
        (query.kind === "" || entry.kind === query.kind) &&
        (query.field === "" || entry.edits.some(({ field }) => field === query.field)) &&
        (query.rule === "" || entry.edits.some(({ rules }) => rules.includes(query.rule))) &&
        (query.class === "" || labelOf(entry) === query.class) &&
        (query.policy === "" || entry.policy === query.policy) &&
        (effect === undefined || effect(entry)),
    );
    return grouped(matching, query.group);
  }
}

/** Returns the entities that share an entry, sorted by the number of query words that they match, highest first. */
export function matchingFirst(sharers: readonly Sharer[], query: Query): readonly Sharer[] {
  const words = wordsOf(query);
  if (words.length === 0) return sharers;
  const ranked = sharers.map((sharer) => {
    const text = `${sharer.name} ${sharer.urn}`.toLowerCase();
    return { sharer, rank: words.filter((word) => text.includes(word)).length };
  });
  return ranked.toSorted((a, b) => b.rank - a.rank).map(({ sharer }) => sharer);
}

function wordsOf({ search }: Query): readonly string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

function textOf({ kind, title, urn = "", edits, sharers = [] }: PageEntry): string {
  const parts = edits.flatMap(({ place, source, lines, notes }) => [
    place,
    source,
    ...lines.flatMap((line) => [line.text, line.before ?? "", ...line.notes.map(noteText)]),
    ...notes,
  ]);
  const shared = sharers.flatMap((sharer) => [sharer.name, sharer.urn]);
  return [kind, title, urn, ...parts, ...shared].join("\n").toLowerCase();
}

function grouped(entries: readonly PageEntry[], by: string): readonly Group[] {
  const grouping = groupings[by];
  if (!grouping) return [{ title: "", entries }];
  const groups = new Map<string, PageEntry[]>();
  for (const entry of entries) {
    const titles = new Set(grouping.of(entry));
    for (const title of titles.size === 0 ? [grouping.none] : titles) {
      const group = groups.get(title);
      if (group) group.push(entry);
      else groups.set(title, [entry]);
    }
  }
  const titled = [...groups].map(([title, those]) => ({ title, entries: those }));
  // Groups by class keep the order of the entries. All other groups are sorted by size.
  return by === "class"
    ? titled
    : titled.toSorted(
        (a, b) =>
          Number(a.title === grouping.none) - Number(b.title === grouping.none) ||
          b.entries.length - a.entries.length,
      );
}
