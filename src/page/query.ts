/** Reads the query for a list of entries from a form or an address's fragment, and writes it to a fragment. */

/** Search words, filters and grouping. An empty field does not filter. */
export interface Query {
  /** An entry must contain all of these words. */
  readonly search: string;
  readonly change: string;
  readonly kind: string;
  readonly field: string;
  readonly rule: string;
  /** An entry's label: its class in drift, its verdict in a check. */
  readonly class: string;
  readonly policy: string;
  /** A grouping's name. */
  readonly group: string;
}

/** The query that shows all entries without grouping. */
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

/** Reads the query from an address's fragment: `#search=orders&kind=Dataset`. Ignores unknown fields. */
export function queryIn(fragment: string): Query {
  return queryOf(new URLSearchParams(fragment.replace(/^#/, "")));
}

/** Reads the query from form fields or parameters. */
export function queryOf(written: Pick<FormData | URLSearchParams, "get">): Query {
  const textAt = (key: string): string => {
    const value = written.get(key);
    return typeof value === "string" ? value : "";
  };
  return { ...all, ...Object.fromEntries(keys.map((key) => [key, textAt(key)])) };
}

/** Writes a query as an address's fragment. Empty if the query shows all entries. */
export function fragmentOf(query: Query): string {
  const set = keys.filter((key) => query[key] !== "").map((key) => [key, query[key]]);
  return set.length === 0 ? "" : `#${new URLSearchParams(set).toString()}`;
}
