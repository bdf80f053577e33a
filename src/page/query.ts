/** What is shown of the list of entries. Empty is all. */
export interface Query {
  /** Words that are all in an entry. */
  readonly search: string;
  readonly change: string;
  readonly kind: string;
  readonly field: string;
  readonly rule: string;
  /** Of drift its class, of a check a verdict: what the label of an entry says. */
  readonly class: string;
  readonly policy: string;
  /** By what entries are grouped. */
  readonly group: string;
}

/** All entries, not grouped. */
export const all: Query = {
  search: "",
  change: "",
  kind: "",
  field: "",
  rule: "",
  class: "",
  policy: "",
  group: "",
};

const keys = Object.keys(all) as readonly (keyof Query)[];

/** The query in the fragment of an address: `#search=orders&kind=Dataset`. What is unknown in it is left out. */
export function queryIn(fragment: string): Query {
  return queryOf(new URLSearchParams(fragment.replace(/^#/, "")));
}

/** The query in the fields of a form, or in parameters. */
export function queryOf(written: Pick<FormData | URLSearchParams, "get">): Query {
  const textAt = (key: string): string => {
    const value = written.get(key);
    return typeof value === "string" ? value : "";
  };
  return { ...all, ...Object.fromEntries(keys.map((key) => [key, textAt(key)])) };
}

/** A query as the fragment of an address; empty for all. */
export function fragmentOf(query: Query): string {
  const set = keys.filter((key) => query[key] !== "").map((key) => [key, query[key]]);
  return set.length === 0 ? "" : `#${new URLSearchParams(set).toString()}`;
}
