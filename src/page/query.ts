/** The query of a list of entries, in the form and in the fragment of the address. */

/** Search words, filters and grouping. An empty field does not filter. */
export interface Query {
  /** An entry must contain all of these words. */
  readonly search: string;
  readonly change: string;
  readonly kind: string;
  readonly field: string;
  readonly rule: string;
  /** The label of an entry: for drift its class, for a check its verdict. */
  readonly class: string;
  readonly policy: string;
  /** The name of a grouping. */
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

/** The query in the fragment of an address: `#search=orders&kind=Dataset`. Unknown fields are ignored. */
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

/** A query as the fragment of an address. It is empty if all entries are shown. */
export function fragmentOf(query: Query): string {
  const set = keys.filter((key) => query[key] !== "").map((key) => [key, query[key]]);
  return set.length === 0 ? "" : `#${new URLSearchParams(set).toString()}`;
}
